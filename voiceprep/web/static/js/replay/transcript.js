/**
 * The transcript in step with the audio. Rows are laid out at once with their estimated height; their words are fetched and set
 * when they come near the screen, and taken away again when they have left it, so that a session of any length opens and
 * scrolls at the same speed. A row is a turn, or a minute or two of a long one.
 */
import { fill, h } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { textOf } from "../live/state.js";
import { failed } from "../parts.js";

const PARAGRAPH = 70; // words after which the next pause begins a paragraph
const PAUSE = 1.2; // seconds that are a pause for that
const DOUBTED = 0.5; // confidence below which a word is marked
const QUIET = 4; // seconds of silence that are told between two words
const NEAR = "600px 0px"; // how far from the screen words are fetched
const LONG = 60; // seconds of a turn after which its next pause begins another row
const LONGEST = 120; // seconds of a row, with or without a pause
const LINES = 0.17; // lines that a second of speech fills, as a first guess

export class Transcript {
  /** @param {{words: Words, turns: object[], pauses: object[], player: Player, name: string, language: string}} of */
  constructor({ words, turns, pauses, player, name, language }) {
    Object.assign(this, { words, player, language });
    this.following = true;
    this.spans = new Map(); // index of a word: its element, where it is laid out
    this.hung = new Map(); // index of a word: what hangs on it
    this.list = h("ol", { class: "transcript", lang: language === "zh" ? "zh-CN" : "en", tabindex: "0", "aria-label": t("replay.transcript") });
    this.rows = turns.filter(({ speaker, text, start, end }) => text || (speaker === "candidate" && end > start)).flatMap((turn) => stretches(turn, pauses).map((stretch) => this.row(turn, stretch, name)));
    this.list.append(...this.rows.map(({ element }) => element));
    this.watcher = new IntersectionObserver((seen) => seen.forEach((each) => this.pass(each)), { root: this.list, rootMargin: NEAR });
    for (const { element } of this.rows) this.watcher.observe(element);
    this.list.addEventListener("click", (event) => this.click(event));
    this.list.addEventListener("dblclick", (event) => this.emit("correct", event.target.closest("[data-word]")?.word));
    for (const moved of ["wheel", "touchmove"]) this.list.addEventListener(moved, () => this.yield(), { passive: true });
    this.list.addEventListener("pointerdown", ({ target, offsetX }) => target === this.list && offsetX >= this.list.clientWidth && this.yield()); // its scroll bar
    this.list.addEventListener("keydown", ({ key }) => ["PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown"].includes(key) && this.yield());
    this.listeners = {};
  }

  on(kind, callback) {
    this.listeners[kind] = callback;
  }

  emit(kind, detail) {
    if (detail !== undefined && detail !== null) this.listeners[kind]?.(detail);
  }

  row(turn, { from, to, first }, name) {
    const mine = turn.speaker === "candidate";
    const body = h("div", { class: "said" }, mine ? null : h("p", null, turn.text));
    const lines = Math.max(1, Math.ceil(mine ? (to - from) * LINES : turn.text.length / 70));
    const element = h("li", { class: `turn ${turn.speaker}${turn.trusted === false ? " doubtful" : ""}${first ? "" : " more"}`, css: { "--lines": String(lines) } },
      h("div", { class: "when" },
        first ? h("span", { class: "who" }, mine ? t("live.you") : name) : null,
        h("button", { type: "button", class: "figures at", data: { time: from }, "aria-label": t("replay.play.from", { time: clock(from) }) }, clock(from))),
      body);
    const row = { turn, from, to, first, last: to === turn.end, element, body, mine, filled: !mine, near: false };
    element.row = row;
    return row;
  }

  /** A row comes near the screen, or leaves it. */
  pass({ target, isIntersecting, boundingClientRect }) {
    const { row } = target;
    row.near = isIntersecting;
    if (isIntersecting) this.set(row);
    else this.drop(row, boundingClientRect.height);
  }

  /** Take the words of a row away; its height stays. Not while it sounds, or while a part of it is selected. */
  drop(row, height) {
    if (!row.mine || !row.filled || row === this.row_ || !height) return;
    const selection = getSelection();
    if (selection.rangeCount && !selection.isCollapsed && selection.getRangeAt(0).intersectsNode(row.element)) return;
    row.element.style.setProperty("min-height", `${height}px`);
    for (const word of row.words) {
      this.spans.delete(word.index);
      word.span = null;
    }
    fill(row.body);
    Object.assign(row, { filled: false, words: [] });
  }

  async set(row) {
    if (row.filled || row.filling || row.refused) return;
    row.filling = true;
    try {
      // At its ends a turn's words may stand a little outside of it.
      const words = await this.words.of(row.from - (row.first ? 0.5 : 0), row.to + (row.last ? 0.5 : 0));
      if (!row.near && row !== this.row_) return; // it was only flung past
      this.write(row, words.filter(({ turn }) => turn === undefined || turn === null || turn === row.turn.number));
      row.filled = true;
    } catch (error) {
      row.refused = true; // asked again by hand only: the player passes here many times a second
      fill(row.body, failed(error, () => { row.refused = false; this.set(row); }));
    } finally {
      row.filling = false;
    }
  }

  write(row, words) {
    row.words = words;
    row.element.style.removeProperty("min-height");
    const before = row.first || !words.length ? null : this.words.at(words[0].start - 0.001);
    fill(row.body, paragraphs(words).map((part, k) => h("p", null, part.map((word, n) => this.word(word, part[n - 1], k ? null : before)))));
    if (!words.length) fill(row.body, h("p", { class: "faint" }, t("replay.unheard")));
  }

  /** A word with what stands before it: a space, or a silence; `earlier` is the last word of the row before. */
  word(word, before, earlier = null) {
    const joined = before ? textOf([before, word]).length > before.text.length + word.text.length : false;
    const last = before ?? earlier;
    const silence = last && word.start - last.end >= QUIET ? h("button", { type: "button", class: "hush figures", data: { time: last.end }, title: t("replay.silence") }, clock(word.start - last.end)) : null;
    const span = h("span", { data: { word: word.index } }, word.text);
    span.word = word;
    word.span = span;
    this.spans.set(word.index, span);
    this.dress(span);
    return [silence ? [" ", silence, " "] : joined ? " " : "", span];
  }

  click({ target }) {
    const time = target.closest("[data-time]")?.dataset.time;
    if (time !== undefined) this.emit("seek", Number(time));
    else if (String(getSelection()) === "") this.emit("seek", target.closest("[data-word]")?.word.start);
  }

  /** The stretch that is selected with the mouse: {start, end, first, last, text}, or null. */
  selected() {
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const chosen = [...this.list.querySelectorAll("[data-word]")].filter((span) => range.intersectsNode(span)).map((span) => span.word);
    if (!chosen.length) return null;
    return { start: chosen[0].start, end: chosen.at(-1).end, first: chosen[0].index, last: chosen.at(-1).index, text: textOf(chosen) };
  }

  /** Show where the audio is, and keep it in sight unless somebody reads elsewhere. */
  async show(time) {
    const row = this.rows.findLast(({ from }) => from <= time + 0.05) ?? this.rows[0];
    if (row !== this.row_) {
      const left = this.row_;
      left?.element.classList.remove("now");
      row?.element.classList.add("now");
      this.row_ = row;
      if (left && !left.near) this.drop(left, left.element.offsetHeight);
    }
    if (row && !row.filled) await this.set(row);
    const word = this.words.at(time + 0.02);
    const span = word && time <= word.end + 2 ? word.span : null;
    if (span !== this.span) {
      this.span?.classList.remove("sounds");
      span?.classList.add("sounds");
      this.span = span;
    }
    if (this.following) this.bring(span?.isConnected && row?.element.contains(span) ? span : row?.element.querySelector(".said") ?? row?.element);
  }

  bring(element) {
    if (!element) return;
    const [frame, box] = [this.list.getBoundingClientRect(), element.getBoundingClientRect()];
    const [top, bottom] = [frame.top + frame.height * 0.2, frame.top + frame.height * 0.7];
    if (box.top < top || Math.min(box.bottom, box.top + 40) > bottom) this.list.scrollTop += box.top - (frame.top + frame.height * 0.36);
  }

  yield() {
    if (!this.following) return;
    this.following = false;
    this.emit("follow", false);
  }

  follow(on) {
    this.following = on;
    this.emit("follow", on);
    if (on) this.show(this.player.time);
  }

  /** Words that something hangs on: {first, last, kind, text}. */
  annotate(marks) {
    const before = [...this.hung.keys()];
    this.hung = new Map();
    for (const mark of marks) {
      for (let index = mark.first; index <= mark.last; index += 1) {
        if (!this.hung.has(index)) this.hung.set(index, []);
        this.hung.get(index).push(mark);
      }
    }
    for (const index of new Set([...before, ...this.hung.keys()])) this.dress(this.spans.get(index));
  }

  /** Show on a word what hangs on it. Each word by itself: a long session has a thousand marks, and rows come one by one. */
  dress(span) {
    if (!span) return;
    const marks = this.hung.get(span.word.index) ?? [];
    span.className = "";
    if (span.word.confidence < DOUBTED) span.classList.add("doubted");
    if (span === this.span) span.classList.add("sounds");
    span.removeAttribute("title");
    for (const { kind, text } of marks) {
      span.classList.add("marked", `m-${kind}`);
      if (text) span.title = text;
    }
  }

  /** Places where these words are said: [{start, end}]. */
  async search(text) {
    const wanted = plain(text);
    if (!wanted) return [];
    const words = await this.words.all();
    const starts = [];
    let all = "";
    for (const word of words) {
      starts.push(all.length);
      all += plain(word.text);
    }
    const spoken = this.rows.filter(({ mine, turn }) => !mine && plain(turn.text).includes(wanted)).map(({ turn }) => ({ start: turn.start, end: turn.end }));
    const found = [];
    for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + wanted.length)) {
      const first = starts.findLastIndex((start) => start <= at);
      const last = starts.findLastIndex((start) => start < at + wanted.length);
      if (starts[first] === at || !/^[a-z]/.test(wanted)) found.push({ start: words[first].start, end: words[last].end, first: words[first].index, last: words[last].index });
    }
    return [...found, ...spoken].sort((a, b) => a.start - b.start);
  }

  /** Set the words anew: one of them was corrected. */
  async again() {
    this.words.forget();
    await Promise.all(this.rows.filter(({ mine, filled }) => mine && filled).map((row) => { row.filled = false; return this.set(row); }));
  }

  close() {
    this.watcher.disconnect();
  }
}

/** A turn in parts that come and go by themselves: a recording that is one answer has thousands of words. {from, to, first} */
function stretches({ speaker, start, end }, pauses) {
  if (speaker !== "candidate" || end - start <= LONGEST) return [{ from: start, to: end, first: true }];
  const edges = [start];
  const inside = pauses.map((pause) => (pause.start + pause.end) / 2).filter((at) => at > start && at < end);
  for (const at of [...inside, end]) {
    while (at - edges.at(-1) > LONGEST) edges.push(edges.at(-1) + LONGEST);
    if (at < end && at - edges.at(-1) >= LONG) edges.push(at);
  }
  return edges.map((from, n) => ({ from, to: edges[n + 1] ?? end, first: n === 0 }));
}

const plain = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function paragraphs(words) {
  const parts = [];
  for (const word of words) {
    const part = parts.at(-1);
    if (!part || (part.length >= PARAGRAPH && word.start - part.at(-1).end >= PAUSE) || part.length >= PARAGRAPH * 3) parts.push([word]);
    else part.push(word);
  }
  return parts;
}
