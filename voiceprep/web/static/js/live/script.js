/** What has been said so far, set like a play: who on the left, the words beside it. Only what changed is touched. */
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";
import { clock } from "../format.js";
import { named } from "../parts.js";
import { textOf } from "./state.js";

const NEAR = 90; // px from the end: nearer than that, the page follows

export class Script {
  /** @param {string} name of the interviewer */
  constructor(name) {
    this.name = name;
    this.list = h("ol", { class: "script", tabindex: "0", "aria-label": t("live.script") });
    this.rows = new Map();
    this.following = true;
    this.list.addEventListener("scroll", () => { this.following = this.nearEnd(); });
    new ResizeObserver(() => this.toEnd()).observe(this.list); // a screen that is turned, a keyboard that comes up
  }

  nearEnd() {
    return this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR;
  }

  /** Whoever has scrolled up to read is left alone. */
  toEnd() {
    if (this.following) this.list.scrollTop = this.list.scrollHeight;
  }

  clear() {
    this.rows.clear();
    fill(this.list);
  }

  /** The rows in the order of the recording, and at the end what is being said that belongs to no turn yet. */
  show(state) {
    const shown = state.script.filter(({ words, firm, tentative }) => !words || words.length || firm.length || tentative.length);
    if (state.loose.firm.length || state.loose.tentative.length) shown.push(state.loose);
    const kept = new Set(shown);
    for (const [entry, { element }] of this.rows) {
      if (kept.has(entry)) continue;
      element.remove();
      this.rows.delete(entry);
    }
    let before = null;
    for (const entry of shown) {
      const row = this.rows.get(entry) ?? this.add(entry);
      const next = before ? before.nextSibling : this.list.firstChild;
      if (next !== row.element) this.list.insertBefore(row.element, next);
      before = row.element;
      if (entry.words) this.spoken(row, entry);
      else if (entry.who !== "gap") this.written(row, entry);
    }
    this.toEnd();
  }

  /** A line of the interviewer's, or a mark. */
  written(row, { who, text: told, cut = false }) {
    const text = told || (who === "note" ? "★" : "");
    if (row.text === text && row.cut === cut) return;
    Object.assign(row, { text, cut });
    row.place.textContent = text;
    row.element.classList.toggle("cut", cut);
  }

  /** An answer: what is written down, what stands firm in the captions, and what may still change. */
  spoken(row, { words, firm, tentative, doubtful = false }) {
    if (row.count !== words.length) {
      row.count = words.length;
      row.said.textContent = textOf(words);
      row.element.classList.toggle("doubtful", doubtful);
    }
    if (row.firmly === firm && row.maybe === tentative) return;
    Object.assign(row, { firmly: firm, maybe: tentative });
    const [sure, rest] = [textOf(firm), textOf(tentative)];
    row.sure.textContent = sure && words.length ? ` ${sure}` : sure;
    row.rest.textContent = rest && (sure || words.length) ? ` ${rest}` : rest;
    row.element.classList.toggle("now", Boolean(sure || rest));
  }

  add(entry) {
    const place = h("p", { lang: entry.lang ?? null });
    const aside = entry.who === "gap" || entry.who === "note" || entry.move === "backchannel";
    const who = entry.who === "interviewer" ? this.name : entry.who === "candidate" ? t("live.you") : t(`live.${entry.who}`);
    const when = entry.media === null ? null : h("time", { class: "when figures" }, clock(entry.media));
    const element = h("li", { class: `line ${entry.who}${aside ? " aside" : ""}` }, h("span", { class: "who" }, who, when), place);
    const row = { element, place };
    if (entry.who === "gap") fill(place, named("gap", entry.reason), h("span", { class: "figures" }, ` ${clock(entry.end - entry.start)}`));
    if (entry.words) {
      // Words that are written down are said by a screen reader once; those that change would be said over and over.
      Object.assign(row, { said: h("span"), sure: h("span", { class: "firm", "aria-hidden": "true" }), rest: h("span", { class: "tentative", "aria-hidden": "true" }) });
      fill(place, row.said, row.sure, row.rest);
    }
    this.rows.set(entry, row);
    return row;
  }
}
