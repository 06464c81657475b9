/**
 * Any rate to 16 kHz, in a stream: each output sample is a windowed sinc over the input around its place, so that what
 * lies above 8 kHz is gone before it could fold back. Used inside the audio worklet; pure, so that tests can run it anywhere.
 */
export const RATE = 16000;
const ZEROS = 16; // zero crossings of the sinc on each side: 60 dB down in the stop band

export class Resampler {
  /** @param {number} rate of the input, Hz */
  constructor(rate) {
    this.step = rate / RATE;
    this.cutoff = Math.min(1, RATE / rate) * 0.94; // room for the filter's slope
    this.reach = Math.ceil(ZEROS / this.cutoff);
    this.kept = new Float32Array(this.reach); // silence before the first sample
    this.at = this.reach; // place of the next output in `kept`
  }

  /** @param {Float32Array} samples @returns {Float32Array} what is certain by now; lags by `reach` input samples */
  feed(samples) {
    if (this.step === 1) return Float32Array.from(samples);
    const input = new Float32Array(this.kept.length + samples.length);
    input.set(this.kept);
    input.set(samples, this.kept.length);
    const out = [];
    while (this.at + this.reach < input.length) {
      out.push(this.one(input));
      this.at += this.step;
    }
    const from = Math.max(0, Math.floor(this.at) - this.reach);
    this.kept = input.slice(from);
    this.at -= from;
    return Float32Array.from(out);
  }

  one(input) {
    const first = Math.max(0, Math.ceil(this.at - this.reach));
    const last = Math.min(input.length - 1, Math.floor(this.at + this.reach));
    let sum = 0;
    for (let n = first; n <= last; n += 1) {
      const x = n - this.at;
      const phase = Math.PI * x * this.cutoff;
      const sinc = Math.abs(phase) < 1e-9 ? 1 : Math.sin(phase) / phase;
      sum += input[n] * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (this.reach + 1)));
    }
    return sum * this.cutoff;
  }
}

/** Floats to little-endian PCM16, as the wire has them. */
export function toPcm(samples) {
  const out = new Int16Array(samples.length);
  for (let n = 0; n < samples.length; n += 1) out[n] = Math.max(-32768, Math.min(32767, Math.round(samples[n] * 32768)));
  return out;
}
