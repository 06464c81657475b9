/** Who sits opposite, in a few lines: speaking, listening, writing, nodding. The words under it say the same. */
import { svg } from "../dom.js";

const HAIR = [
  "M73 58c-3-24 12-36 28-36s30 11 27 36c-4-10-9-16-15-19-10 5-26 6-34 1-3 4-5 11-6 18z",
  "M72 84c-8-22-6-60 29-62 34 1 38 38 28 63 0-14-2-28-8-38-9 2-27-1-33-9-6 8-14 22-16 46z",
  "M74 54c2-20 12-30 27-30 14 0 26 10 26 31-3-6-5-9-8-11-12 0-30-2-36-6-4 4-7 9-9 16z",
  "M73 60c-8-4-4-14 0-17-4-8 6-14 10-13 4-9 16-9 20-5 7-5 16 0 17 6 8 0 11 9 7 13 5 5 4 13 0 16-3-9-8-15-14-18-10 3-24 3-32-1-4 4-7 11-8 19z",
];
const hash = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);

export class Presence {
  /** @param {string} persona whose face it is: the same one each time */
  constructor(persona) {
    const number = hash(persona);
    const line = (d, more = {}) => svg("path", { d, ...more });
    this.mouth = line("M92 79q9 5 18 0", { class: "mouth" });
    this.head = svg("g", { class: "head" },
      line("M75 56c0 24 10 40 26 40s26-16 26-40-10-32-26-32-26 8-26 32z", { class: "face" }),
      line(HAIR[number % HAIR.length], { class: "hair" }),
      svg("g", { class: "eyes" }, line("M88 60v3"), line("M114 60v3")),
      number % 3 === 0 ? line("M81 62a8 8 0 1 0 16 0 8 8 0 1 0-16 0M105 62a8 8 0 1 0 16 0 8 8 0 1 0-16 0M97 61q4-2 8 0", { class: "glasses" }) : null,
      line("M101 63l-3 9h4", { class: "nose" }), this.mouth);
    this.element = svg("svg", { viewBox: "0 0 200 164", class: "presence", "aria-hidden": "true" },
      line("M38 152c3-32 22-43 44-49l7-2v-9M113 92v9l7 2c22 6 41 17 44 49", { class: "body" }),
      line("M89 101l12 14 12-14", { class: "collar" }),
      this.head,
      svg("g", { class: "pad" }, line("M116 152l7-17h36l-5 17z", { class: "sheet" }), line("M127 140h24", { class: "ink one" }), line("M125 145h24", { class: "ink two" })),
      svg("g", { class: "pen" }, line("M148 146l14-22", { class: "shaft" })),
      line("M14 152h172", { class: "desk" }));
  }

  /** @param {"speaking"|"listening"|"writing"|"nodding"|"waiting"|"away"} doing @param {number} level of the voice, 0..1 */
  show(doing, level = 0) {
    if (this.doing !== doing) {
      this.element.dataset.doing = doing;
      this.doing = doing;
    }
    const open = doing === "speaking" ? level * 9 : 0;
    this.mouth.setAttribute("d", `M92 79q9 ${(5 - open / 3).toFixed(1)} 18 0${open > 0.6 ? `q-9 ${(5 + open).toFixed(1)} -18 0` : ""}`);
  }
}

const NODDING = 2.4;
const WRITING = 6;

/** What the interviewer does just now. */
export function doingOf(state, at) {
  if (state.phase === "paused") return "away";
  const since = state.signal ? at - state.signal.at : Infinity;
  if (state.speaking) return "speaking";
  if (state.signal?.signal === "nod" && since < NODDING) return "nodding";
  if (state.signal?.signal === "notes" && since < WRITING) return "writing";
  return state.holder === "candidate" || state.voice ? "listening" : "waiting";
}
