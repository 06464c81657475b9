/** The waveform: wavesurfer draws it from peaks that the server counts, coarse at once and finer where one looks. */
import WaveSurfer from "/vendor/wavesurfer/wavesurfer.esm.js";
import { get } from "../api.js";
import { h } from "../dom.js";
import { colour } from "../theme.js";

const COARSE = 2000; // points of the whole session
const PIECE = 4000; // points of one request: the most the server gives
const FINEST = 40; // points a second
const TRACKS = ["candidate", "interviewer"];
const HEIGHT = 46;

export class Wave {
  /** @param {{session: string, duration: number, tracks: string[], player: Player, shifts: Shifts}} of */
  constructor({ session, duration, tracks, player, shifts }) {
    Object.assign(this, { session, duration, player, shifts });
    this.tracks = TRACKS.filter((each) => tracks.includes(each));
    this.element = h("div", { class: "wave", "aria-hidden": "true" });
    this.pieces = new Set();
    this.listeners = [];
  }

  async show() {
    const coarse = await Promise.all(this.tracks.map((track) => this.fetch(track, 0, this.duration, Math.min(COARSE, Math.ceil(this.duration * FINEST)))));
    if (this.closed) return;
    this.coarse = coarse;
    this.surfer = WaveSurfer.create({
      container: this.element, media: this.player.media, peaks: coarse, duration: this.duration, cspNonce: document.querySelector('meta[name="voiceprep-nonce"]')?.content,
      height: HEIGHT, normalize: false, minPxPerSec: 0, fillParent: true, autoScroll: true, autoCenter: false, dragToSeek: true, cursorWidth: 1, hideScrollbar: true,
      ...this.colours(),
    });
    this.surfer.once("ready", () => this.surfer.setTime(this.player.time)); // an address may name a place
    this.surfer.on("scroll", () => this.moved());
    this.surfer.on("zoom", () => this.moved());
    this.surfer.on("redraw", () => this.moved());
    addEventListener("theme", this.repaint = () => { this.surfer.setOptions(this.colours()); this.moved(); });
  }

  colours() {
    const faint = (name) => `color-mix(in srgb, ${colour(name)} 42%, ${colour("paper")})`;
    const of = { candidate: "ink", interviewer: "accent" };
    return {
      cursorColor: colour("fail"), waveColor: faint("ink"), progressColor: colour("ink"),
      splitChannels: this.tracks.map((track) => ({ waveColor: faint(of[track]), progressColor: colour(of[track]), height: HEIGHT })),
    };
  }

  /** The shape of a stretch of the recording's time, `points` values 0..1. */
  async fetch(track, from, to, points) {
    const parts = track === "interviewer" ? this.shifts.parts(from, to) : [{ from, to, shift: 0 }];
    const shape = new Float32Array(points);
    await Promise.all(parts.map(async (part) => {
      const [first, last] = [part.from, part.to].map((time) => Math.round(((time - from) / (to - from)) * points));
      if (last <= first) return;
      const found = await get(`/api/sessions/${encodeURIComponent(this.session)}/peaks`, { track, from: part.from + part.shift, to: part.to + part.shift, points: last - first });
      // A track may end before the stretch does: what is not there is silence.
      const there = Math.max(1, Math.round(((last - first) * (found.to - found.from)) / (part.to - part.from)));
      const count = found.max.length;
      for (let n = 0; n < Math.min(there, last - first) && count; n += 1) {
        const k = Math.min(count - 1, Math.floor((n / there) * count));
        shape[first + n] = Math.max(found.max[k], -found.min[k]) / 127;
      }
    }));
    return shape;
  }

  /** Call back whenever another stretch is seen. */
  onMove(callback) {
    this.listeners.push(callback);
  }

  moved() {
    for (const each of this.listeners) each(this.seen());
    this.refine();
  }

  /** What is seen: pixels a second, the scroll in pixels, the width. */
  seen() {
    const width = this.element.clientWidth;
    const perSecond = Math.max(width / this.duration, this.zoomed ?? 0);
    return { perSecond, left: this.surfer?.getScroll() ?? 0, width };
  }

  /** @param {number} perSecond pixels a second; 0: all of it at once */
  zoom(perSecond) {
    this.zoomed = perSecond;
    if (perSecond > 0 && !this.fine) this.prepare();
    this.surfer.zoom(perSecond);
    this.moved();
  }

  scrollTo(time) {
    this.surfer?.setScrollTime(time);
  }

  /** Finer peaks begin as the coarse ones, and are put in piece by piece where somebody looks. */
  prepare() {
    const length = Math.ceil(this.duration * FINEST);
    this.fine = this.coarse.map((coarse) => Float32Array.from({ length }, (_, n) => coarse[Math.min(coarse.length - 1, Math.floor((n / length) * coarse.length))]));
    this.surfer.setOptions({ peaks: this.fine, duration: this.duration });
  }

  refine() {
    if (!this.fine || this.closed) return;
    const { perSecond, left, width } = this.seen();
    if (perSecond < (COARSE / this.duration) * 0.75) return;
    const seconds = PIECE / FINEST;
    const [first, last] = [left / perSecond, (left + width) / perSecond].map((time) => Math.floor(time / seconds));
    for (let piece = first; piece <= last; piece += 1) if (!this.pieces.has(piece) && piece * seconds < this.duration) this.fetchPiece(piece, seconds);
  }

  async fetchPiece(piece, seconds) {
    this.pieces.add(piece);
    const [from, to] = [piece * seconds, Math.min(this.duration, (piece + 1) * seconds)];
    try {
      const found = await Promise.all(this.tracks.map((track) => this.fetch(track, from, to, Math.ceil((to - from) * FINEST))));
      if (this.closed) return;
      found.forEach((each, n) => this.fine[n].set(each.subarray(0, this.fine[n].length - piece * PIECE), piece * PIECE));
      const at = this.surfer.getScroll();
      this.surfer.setOptions({ peaks: this.fine, duration: this.duration });
      this.surfer.setScroll(at);
    } catch {
      this.pieces.delete(piece); // asked again when it is next seen
    }
  }

  close() {
    this.closed = true;
    removeEventListener("theme", this.repaint);
    this.surfer?.destroy();
  }
}
