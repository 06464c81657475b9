/**
 * On the audio thread: the interviewer's voice, as it comes. Stopping takes effect with the next 128 samples (a few
 * milliseconds), under a short fade so that it does not click, and the place that had sounded until then is told exactly.
 * Places are samples of the interviewer's track (see docs/web-protocol.md).
 */
const FADE = 96;
const TELL = 1200; // samples between two reports of the place: 50 ms at 24 kHz
const AHEAD = 960; // samples that must be there before a silence ends: what the network's jitter may take
const PATIENCE = 10; // ... or so many blocks of 128 without them: a line may be shorter than that

class Speaker extends AudioWorkletProcessor {
  constructor() {
    super();
    this.queue = []; // {position, samples}
    this.offset = 0; // into the head of the queue
    this.place = 0; // everything before it has sounded
    this.sounding = false;
    this.waited = 0;
    this.paused = false;
    this.untold = 0;
    this.tail = new Float32Array(0);
    this.port.onmessage = ({ data }) => this[data.do](data);
  }

  enqueue({ position, samples }) {
    this.queue.push({ position, samples });
  }

  /** Throw away what has not sounded. */
  stop() {
    this.fade();
    this.queue = [];
    this.offset = 0;
    this.paused = false;
    this.sounding = false;
    this.tell("stopped");
  }

  pause() {
    if (!this.paused) this.fade();
    this.paused = true;
    this.tell("paused");
  }

  resume() {
    this.paused = false;
    this.tell("resumed");
  }

  fade() {
    const head = this.sounding && this.queue[0];
    if (head) this.tail = head.samples.slice(this.offset, this.offset + FADE).map((sample, n) => sample * (1 - n / FADE));
  }

  tell(what) {
    this.port.postMessage({ what, place: this.place });
  }

  ready() {
    if (this.paused || !this.queue.length) return false;
    if (this.sounding) return true;
    const there = this.queue.reduce((sum, each) => sum + each.samples.length, -this.offset);
    this.waited += 1;
    if (there < AHEAD && this.waited < PATIENCE) return false;
    this.sounding = true;
    this.waited = 0;
    this.tell("started");
    return true;
  }

  process(_inputs, [output]) {
    const out = output[0];
    let filled = Math.min(this.tail.length, out.length);
    out.set(this.tail.subarray(0, filled));
    this.tail = this.tail.subarray(filled);
    if (this.ready()) {
      while (filled < out.length && this.queue.length) filled += this.take(out, filled);
      if (!this.queue.length) {
        this.sounding = false;
        this.tell("drained");
      } else if (this.untold >= TELL) {
        this.untold = 0;
        this.tell("playing");
      }
    }
    for (const channel of output.slice(1)) channel.set(out);
    return true;
  }

  /** Copy what fits of the head of the queue; how much it was. */
  take(out, at) {
    const { position, samples } = this.queue[0];
    const count = Math.min(out.length - at, samples.length - this.offset);
    out.set(samples.subarray(this.offset, this.offset + count), at);
    this.offset += count;
    this.untold += count;
    this.place = position + this.offset;
    if (this.offset === samples.length) {
      this.queue.shift();
      this.offset = 0;
    }
    return count;
  }
}

registerProcessor("speaker", Speaker);
