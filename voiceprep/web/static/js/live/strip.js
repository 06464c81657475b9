/** The last seconds of both voices as a strip of sound that runs to the left: who speaks, and that one is heard. */
import { colour } from "../theme.js";

const SECONDS = 24;
const STEP = 0.05;

export class Strip {
  constructor(canvas) {
    this.canvas = canvas;
    this.mine = new Float32Array(SECONDS / STEP);
    this.theirs = new Float32Array(SECONDS / STEP);
    this.head = 0;
    this.due = 0;
    this.peak = [0, 0];
  }

  /** Levels 0..1 at page time `now`; the louder of what came within one step is drawn. */
  feed(now, mine, theirs) {
    this.peak = [Math.max(this.peak[0], mine), Math.max(this.peak[1], theirs)];
    if (!this.due) this.due = now;
    while (now >= this.due) {
      [this.mine[this.head], this.theirs[this.head]] = this.peak;
      this.head = (this.head + 1) % this.mine.length;
      this.due = now - this.due > 1 ? now + STEP : this.due + STEP;
      this.peak = [mine, theirs];
    }
  }

  draw() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * ratio, canvas.clientHeight * ratio];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const pen = canvas.getContext("2d");
    pen.clearRect(0, 0, width, height);
    const middle = height / 2;
    pen.fillStyle = colour("rule-2");
    pen.fillRect(0, Math.round(middle), width, Math.max(1, ratio / 2));
    const step = width / this.mine.length;
    const bar = Math.max(1, step * 0.55);
    for (const [levels, name, up] of [[this.mine, "ink", true], [this.theirs, "accent", false]]) {
      pen.fillStyle = colour(name);
      for (let n = 0; n < levels.length; n += 1) {
        const level = levels[(this.head + n) % levels.length];
        const tall = level * (middle - 2 * ratio);
        if (tall >= 0.75) pen.fillRect(n * step, up ? middle - tall : middle + ratio, bar, tall);
      }
    }
  }
}

/** RMS or dBFS to the height of a bar: 0 at -60 dBFS, 1 at -6. */
export const heightOf = (dbfs) => Math.max(0, Math.min(1, (dbfs + 60) / 54));
