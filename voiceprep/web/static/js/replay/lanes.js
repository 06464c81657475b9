/** What happened, under the waveform and on its scale: sections, silences, flags, evidence, notes. One canvas, drawn as seen. */
import { h } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { colour } from "../theme.js";

const ROW = 19;
const RULER = 20;
export const SILENCE = 1; // seconds from which a silence is shown
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800];

export class Lanes {
  /**
   * @param {{wave: Wave, player: Player, items: Item[]}} of
   * Item: {lane: "sections"|"silence"|"flags"|"evidence"|"notes", start, end, text, level?}
   */
  constructor({ wave, player, items, names }) {
    Object.assign(this, { wave, player, names });
    this.hidden = new Set();
    this.canvas = h("canvas", { class: "lanes", role: "img", "aria-label": t("replay.lanes") });
    this.tip = h("div", { class: "tip figures", hidden: true });
    this.line = h("div", { class: "playhead", "aria-hidden": "true" });
    this.labels = h("div", { class: "lane-labels" });
    this.put(items);
    wave.onMove(() => this.soon());
    addEventListener("theme", this.repaint = () => this.soon());
    this.canvas.addEventListener("pointermove", (event) => this.over(event));
    this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
  }

  put(items) {
    this.items = items.toSorted((a, b) => a.start - b.start);
    this.rows = this.names.map((lane) => ({ lane, items: this.items.filter((each) => each.lane === lane) }));
    this.label();
    this.soon();
  }

  label() {
    this.labels.replaceChildren(...this.rows.map(({ lane, items }) => h("button", {
      type: "button", "aria-pressed": String(!this.hidden.has(lane)), title: t("replay.lane.toggle"),
      onclick: () => { this.hidden[this.hidden.has(lane) ? "delete" : "add"](lane); this.label(); this.soon(); },
    }, t(`lane.${lane}`), h("span", { class: "figures" }, items.length))));
  }

  soon() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => { this.due = 0; this.draw(); });
  }

  /** Where it sounds: a line of its own, moved with every frame, so that the lanes need not be drawn anew. */
  stand(time = this.player.time) {
    const { perSecond, left, width } = this.wave.seen();
    const x = time * perSecond - left;
    this.line.hidden = x < 0 || x > width;
    this.line.style.setProperty("transform", `translateX(${x.toFixed(1)}px)`);
  }

  draw() {
    this.stand();
    const { canvas } = this;
    const { perSecond, left, width } = this.wave.seen();
    const ratio = devicePixelRatio || 1;
    const height = RULER + this.rows.length * ROW;
    canvas.style.height = `${height}px`;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `11px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = "middle";
    const x = (time) => time * perSecond - left;
    this.region(pen, x, height);
    this.ruler(pen, x, perSecond, left, width);
    this.rows.forEach(({ lane, items }, n) => {
      const top = RULER + n * ROW;
      pen.fillStyle = colour("rule");
      pen.fillRect(0, top + ROW - 0.5, width, 0.5);
      if (this.hidden.has(lane)) return;
      for (const item of items) {
        const [a, b] = [x(item.start), x(item.end)];
        if (b >= -8 && a <= width + 8) DRAW[lane](pen, { item, a, b, top, middle: top + ROW / 2 });
      }
    });
  }

  region(pen, x, height) {
    const region = this.drawing ?? this.player.region;
    if (!region) return;
    pen.fillStyle = colour("accent-wash");
    pen.fillRect(x(region.start), 0, Math.max(1, x(region.end) - x(region.start)), height);
    pen.fillStyle = colour("accent");
    for (const edge of [region.start, region.end]) pen.fillRect(x(edge), 0, 1.5, height);
  }

  ruler(pen, x, perSecond, left, width) {
    const step = STEPS.find((each) => each * perSecond >= 64) ?? 3600;
    pen.fillStyle = colour("ink-3");
    for (let time = Math.floor(left / perSecond / step) * step; x(time) < width; time += step) {
      pen.fillRect(x(time), RULER - 5, 1, 5);
      pen.fillText(clock(time), x(time) + 4, RULER / 2 - 1);
    }
  }

  timeOf(event) {
    const { perSecond, left } = this.wave.seen();
    return (event.clientX - this.canvas.getBoundingClientRect().left + left) / perSecond;
  }

  find(event) {
    const box = this.canvas.getBoundingClientRect();
    const row = this.rows[Math.floor((event.clientY - box.top - RULER) / ROW)];
    if (!row || this.hidden.has(row.lane)) return null;
    const slack = 6 / this.wave.seen().perSecond;
    const time = this.timeOf(event);
    return row.items.findLast((each) => each.start - slack <= time && time <= Math.max(each.end, each.start) + slack) ?? null;
  }

  over(event) {
    if (this.drawing) return;
    const item = this.find(event);
    this.tip.hidden = !item;
    this.canvas.style.cursor = item ? "pointer" : "crosshair";
    if (!item) return;
    this.tip.textContent = `${clock(item.start)}${item.end - item.start >= 1 ? ` · ${clock(item.end - item.start)}` : ""}  ${item.text}`;
    const box = this.canvas.getBoundingClientRect();
    const at = Math.min(event.clientX - box.left, box.width - this.tip.offsetWidth - 4);
    this.tip.style.setProperty("transform", `translate(${Math.max(0, at)}px, ${event.clientY - box.top + 18}px)`);
  }

  /** A click goes there; a drag marks the stretch that is to be heard over and over. */
  press(event) {
    const item = this.find(event);
    const from = this.timeOf(event);
    this.canvas.setPointerCapture(event.pointerId);
    const move = (moved) => {
      const to = this.timeOf(moved);
      if (Math.abs(moved.clientX - event.clientX) > 4) this.drawing = { start: Math.max(0, Math.min(from, to)), end: Math.max(from, to) };
      this.soon();
    };
    const done = () => {
      this.canvas.removeEventListener("pointermove", move);
      if (this.drawing) this.player.loop(this.drawing);
      else this.player.seek(item ? item.start : from);
      this.drawing = null;
      this.soon();
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", done, { once: true });
  }

  close() {
    removeEventListener("theme", this.repaint);
    cancelAnimationFrame(this.due);
  }
}

const clip = (pen, text, width) => {
  if (width < 24) return "";
  let shown = text;
  while (shown && pen.measureText(shown).width > width) shown = shown.slice(0, -1);
  return shown === text ? text : shown.length > 2 ? `${shown.slice(0, -1)}…` : "";
};

const DRAW = {
  sections(pen, { item, a, b, top, middle }) {
    pen.fillStyle = colour(item.over ? "warning-wash" : "sunk");
    pen.fillRect(a + 1, top + 3, Math.max(1, b - a - 2), ROW - 6);
    pen.fillStyle = colour(item.over ? "warning" : "ink-2");
    pen.fillText(clip(pen, item.text, b - Math.max(a, 0) - 10), Math.max(a, 0) + 6, middle);
  },
  silence(pen, { item, a, b, middle }) {
    const seconds = item.end - item.start;
    pen.fillStyle = colour(seconds >= 45 ? "warning" : seconds >= 10 ? "notice" : "rule-2");
    pen.fillRect(a, middle - 2, Math.max(1, b - a), 4);
    if (seconds >= 4 && b - a > 34) {
      const text = clock(seconds);
      const wide = pen.measureText(text).width + 8;
      pen.clearRect((a + b - wide) / 2, middle - 7, wide, 14);
      pen.fillText(text, (a + b - wide) / 2 + 4, middle);
    }
  },
  flags(pen, { item, b, middle }) {
    pen.fillStyle = colour(item.level ?? "notice");
    pen.beginPath();
    if (item.level === "fail") pen.rect(b - 4.5, middle - 4.5, 9, 9);
    else if (item.level === "warning") pen.moveTo(b, middle - 5.5), pen.lineTo(b + 5.5, middle + 4.5), pen.lineTo(b - 5.5, middle + 4.5);
    else pen.rect(b - 4.5, middle - 1.5, 9, 3);
    pen.fill();
  },
  evidence(pen, { item, a, b, middle }) {
    pen.fillStyle = colour(item.fault ? "warning" : "good");
    pen.fillRect(a, item.fault ? middle + 1 : middle - 6, Math.max(3, b - a), 5);
  },
  notes(pen, { a, b, middle }) {
    pen.fillStyle = colour("accent");
    pen.fillRect(a, middle - 1, Math.max(0, b - a), 2);
    pen.beginPath();
    pen.moveTo(a, middle - 6);
    pen.lineTo(a + 6, middle);
    pen.lineTo(a, middle + 6);
    pen.lineTo(a - 6, middle);
    pen.fill();
  },
};
