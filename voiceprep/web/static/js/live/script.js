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
    // Committed words are said by a screen reader once; the changing ones would be said over and over.
    this.live = h("li", { class: "line candidate now", "aria-hidden": "true", hidden: true },
      h("span", { class: "who" }, t("live.you")), h("p", null, h("span", { class: "firm" }), h("span", { class: "tentative" })));
    this.list.append(this.live);
    this.rows = new Map();
  }

  clear() {
    this.rows.clear();
    fill(this.list, this.live);
  }

  show(state) {
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < NEAR;
    for (const entry of state.script) {
      if (entry.who === "candidate" && !entry.words.length) continue;
      const row = this.rows.get(entry) ?? this.add(entry);
      if (entry.who === "gap") continue;
      const text = entry.words ? textOf(entry.words) : entry.text || (entry.who === "note" ? "★" : "");
      if (row.text !== text || row.cut !== entry.cut) {
        row.text = text;
        row.cut = entry.cut;
        row.place.textContent = text;
        row.element.classList.toggle("cut", entry.cut === true);
        row.element.classList.toggle("doubtful", entry.doubtful === true);
      }
    }
    this.live.hidden = !state.firm.length && !state.tentative.length;
    const [firm, tentative] = this.live.querySelectorAll("p > span");
    firm.textContent = textOf(state.firm);
    const rest = textOf(state.tentative);
    tentative.textContent = rest && state.firm.length ? ` ${rest}` : rest;
    const last = state.script.findLast((each) => each.who === "candidate" || each.who === "interviewer");
    this.live.firstChild.textContent = last?.who === "candidate" && last.words.length ? "" : t("live.you");
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }

  add(entry) {
    const place = h("p", { lang: entry.lang ?? null });
    const aside = entry.who === "gap" || entry.who === "note" || entry.move === "backchannel";
    const who = entry.who === "interviewer" ? this.name : entry.who === "candidate" ? t("live.you") : t(`live.${entry.who}`);
    const element = h("li", { class: `line ${entry.who}${aside ? " aside" : ""}` }, h("span", { class: "who" }, who), place);
    if (entry.who === "gap") fill(place, named("gap", entry.reason), h("span", { class: "figures" }, ` ${clock(entry.end - entry.start)}`));
    const row = { element, place, text: null };
    this.rows.set(entry, row);
    this.list.insertBefore(element, this.live);
    return row;
  }
}
