/** On the audio thread: the microphone to frames of 20 ms of 16 kHz PCM16, with a level for the meter. */
import { Resampler, toPcm } from "./resampler.js";

const FRAME = 320;

class Capture extends AudioWorkletProcessor {
  constructor() {
    super();
    this.resampler = new Resampler(sampleRate);
    this.frame = new Float32Array(FRAME);
    this.filled = 0;
  }

  process([channels]) {
    // Without an input (a device that goes away) there is nothing to number: the recording's gap is the server's to state.
    if (!channels?.length) return true;
    const mono = channels.length === 1 ? channels[0] : mix(channels);
    for (const sample of this.resampler.feed(mono)) {
      this.frame[this.filled] = sample;
      this.filled += 1;
      if (this.filled === FRAME) this.send();
    }
    return true;
  }

  send() {
    const pcm = toPcm(this.frame);
    let power = 0;
    for (const sample of this.frame) power += sample * sample;
    this.port.postMessage({ pcm, rms: Math.sqrt(power / FRAME) }, [pcm.buffer]);
    this.filled = 0;
  }
}

function mix(channels) {
  const out = new Float32Array(channels[0].length);
  for (const channel of channels) for (let n = 0; n < out.length; n += 1) out[n] += channel[n] / channels.length;
  return out;
}

registerProcessor("capture", Capture);
