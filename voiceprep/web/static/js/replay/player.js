/** Both voices as one player: the candidate's recording leads, the interviewer's track follows it. */

const APART = 0.06; // seconds that the two may be apart before the second is moved
const MATCH = 0.02; // where the recording stands when a region was jumped to: times are not exact to the sample

export class Player extends EventTarget {
  /**
   * @param {string} candidate @param {string|null} interviewer addresses of the audio
   * @param {(media: number) => number} there where the interviewer's track stands at a place of the recording
   */
  constructor(candidate, interviewer, there = (media) => media) {
    super();
    this.there = there;
    const audio = (source) => Object.assign(new Audio(), { preload: "auto", src: source, preservesPitch: true });
    this.media = audio(candidate);
    this.other = interviewer ? audio(interviewer) : null;
    this.region = null; // {start, end}
    this.looping = false;
    this.media.addEventListener("play", () => { this.other?.play().catch(() => {}); this.emit("state"); this.run(); });
    this.media.addEventListener("pause", () => { this.other?.pause(); this.emit("state"); });
    this.media.addEventListener("seeking", () => { this.align(true); this.emit("time"); });
    this.media.addEventListener("ended", () => this.other?.pause());
    this.media.addEventListener("error", () => this.emit("trouble"));
  }

  get time() {
    return this.media.currentTime;
  }

  get playing() {
    return !this.media.paused;
  }

  toggle() {
    return this.playing ? this.media.pause() : this.play();
  }

  play() {
    return this.media.play().catch(() => this.emit("trouble"));
  }

  pause() {
    this.media.pause();
  }

  /** Go to a place, seconds; plays on if it played. */
  seek(time) {
    this.media.currentTime = Math.max(0, Number.isFinite(this.media.duration) ? Math.min(time, this.media.duration) : time);
    this.emit("time");
  }

  /** 0.5 to 2; the pitch stays. */
  set rate(rate) {
    for (const each of [this.media, this.other]) if (each) each.playbackRate = rate;
    this.emit("state");
  }

  get rate() {
    return this.media.playbackRate;
  }

  /** Who is heard: "both", "candidate", "interviewer". */
  set voices(who) {
    this.media.muted = who === "interviewer";
    if (this.other) this.other.muted = who === "candidate";
  }

  loop(region) {
    this.region = region;
    this.looping = region !== null;
    if (region && (this.time < region.start || this.time > region.end)) this.seek(region.start);
    this.emit("state");
  }

  align(sure = false) {
    const { other, media } = this;
    if (!other || other.readyState < 1) return;
    const there = Math.min(this.there(media.currentTime), other.duration || Infinity);
    if (sure || Math.abs(other.currentTime - there) > APART * Math.max(1, this.rate)) other.currentTime = there;
    if (this.playing && other.paused && there < other.duration) other.play().catch(() => {});
  }

  /** While it plays: time told with every frame of the screen, the loop kept, the second voice held to the first. */
  run() {
    if (this.running) return;
    this.running = true;
    const step = () => {
      if (!this.playing || this.closed) {
        this.running = false;
        return;
      }
      if (this.looping && this.time >= this.region.end - MATCH) this.seek(this.region.start);
      this.frames = (this.frames ?? 0) + 1;
      if (this.frames % 30 === 0) this.align();
      this.emit("time");
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  emit(kind) {
    this.dispatchEvent(new Event(kind));
  }

  close() {
    this.closed = true;
    for (const each of [this.media, this.other]) {
      if (!each) continue;
      each.pause();
      each.removeAttribute("src");
      each.load();
    }
  }
}
