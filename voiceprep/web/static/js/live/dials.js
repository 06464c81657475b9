/** What changes with every frame of the screen: the interviewer's face, who holds the floor, and the clocks. */
import { fill, h } from "../dom.js";
import { clock, spoken } from "../format.js";
import { t } from "../i18n.js";
import { fermata } from "../parts.js";
import { doingOf } from "./presence.js";
import { atNow, mediaAt, thinking } from "./state.js";

const CUE_FOR = 6; // s: long enough to be read with half an eye

export class Dials {
  /** @param {object} seen `element` of the view, its `parts`, the interviewer's `name` and `presence`, the `sections` and their `total`. */
  constructor(seen) {
    Object.assign(this, seen);
  }

  /** @param {number} level how loud the interviewer sounds; @param {?number} offline since when the line is down, on the page's clock */
  show(state, now, level, offline) {
    this.face(state, now, level);
    this.clocks(state, now, offline);
  }

  face(state, now, level) {
    const { parts } = this;
    const doing = doingOf(state, atNow(state, now));
    this.presence.show(doing, level);
    const key = state.phase === "paused" ? `live.floor.${state.pausedFor === "away" ? "away" : "paused"}` : doing !== "listening" && doing !== "waiting" ? `live.floor.${doing}`
      : state.silence === "yielded" ? "live.floor.yielded" : state.voice ? "live.floor.listening" : state.holder || state.script.length ? "live.floor.yours" : "live.floor.waiting";
    if (parts.floor.dataset.key !== key) {
      parts.floor.dataset.key = key;
      parts.floor.textContent = t(key, { name: this.name });
      this.element.dataset.holder = ["live.floor.yours", "live.floor.listening"].includes(key) ? "candidate" : "interviewer";
    }
  }

  clocks(state, now, offline) {
    const { parts } = this;
    const write = (place, text) => { if (place.textContent !== text) place.textContent = text; };
    // The recording's own time, as the replay has it: what was noted at 12:30 is found at 12:30.
    const at = clock(mediaAt(state, now));
    write(parts.clock, this.total ? `${at} / ${clock(this.total)}` : at);
    write(parts.where, this.sections.where(state, now));
    this.sections.show(state, now);
    const seconds = thinking(state, now);
    parts.think.hidden = seconds === null;
    if (seconds !== null) {
      if (!parts.think.firstChild) fill(parts.think, fermata(), h("span"));
      write(parts.think.lastChild, t("live.thinking", { time: clock(seconds) }));
      parts.think.setAttribute("aria-label", spoken(Math.floor(seconds)));
    }
    parts.gauge.hidden = !state.limit;
    if (state.limit) {
      const left = state.limit.budget - (mediaAt(state, now) - state.limit.since);
      write(parts.gauge, clock(left));
      parts.gauge.classList.toggle("over", left < 0);
    }
    parts.cue.hidden = !state.cue || atNow(state, now) - state.cue.at > CUE_FOR;
    if (!parts.cue.hidden) write(parts.cue, state.cue.text);
    if (offline && parts.banner.lastChild) write(parts.banner.lastChild, ` ${clock(now - offline)}`);
  }
}
