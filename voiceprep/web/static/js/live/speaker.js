/** The interviewer's voice in the browser: 24 kHz PCM as it arrives, stoppable at once, with reports of what really sounded. */

export const RATE = 24000;

export class Speaker extends EventTarget {
  static async open() {
    const context = new AudioContext({ sampleRate: RATE, latencyHint: "interactive" });
    await context.audioWorklet.addModule("/static/js/live/speaker-worklet.js");
    return new Speaker(context);
  }

  constructor(context) {
    super();
    this.context = context;
    this.node = new AudioWorkletNode(context, "speaker", { numberOfInputs: 0, outputChannelCount: [1] });
    this.analyser = new AnalyserNode(context, { fftSize: 512, smoothingTimeConstant: 0.4 });
    this.node.connect(this.analyser).connect(context.destination);
    this.wave = new Float32Array(this.analyser.fftSize);
    this.node.port.onmessage = ({ data }) => this.dispatchEvent(new CustomEvent(data.what, { detail: data }));
    context.resume();
  }

  /** Whether the browser lets sound out: before the first click or key it may not. */
  get allowed() {
    return this.context.state === "running";
  }

  allow() {
    return this.context.resume();
  }

  /** Seconds between a sample leaving the worklet and being heard, as far as the browser tells. */
  get latency() {
    return (this.context.outputLatency || 0) + (this.context.baseLatency || 0);
  }

  /** How loud it is right now, 0..1: it moves the interviewer's mouth. */
  get level() {
    this.analyser.getFloatTimeDomainData(this.wave);
    let power = 0;
    for (const sample of this.wave) power += sample * sample;
    return Math.min(1, Math.sqrt(power / this.wave.length) * 5);
  }

  /** Queue a frame. `place`: its first sample in the interviewer's track. @param {Int16Array} pcm */
  enqueue(place, pcm) {
    const samples = Float32Array.from(pcm, (sample) => sample / 32768);
    this.node.port.postMessage({ do: "enqueue", position: place, samples }, [samples.buffer]);
  }

  /** Fall silent, and forget what was to come. "stopped" follows, with the place that had sounded. */
  stop() {
    this.node.port.postMessage({ do: "stop" });
  }

  pause() {
    this.node.port.postMessage({ do: "pause" });
  }

  resume() {
    this.node.port.postMessage({ do: "resume" });
  }

  close() {
    this.node.port.onmessage = null;
    return this.context.close();
  }
}
