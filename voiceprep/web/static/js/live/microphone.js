/** The browser's microphone as numbered frames. */

const WANTED = { channelCount: 1, noiseSuppression: false, autoGainControl: false };

/** Why there is no microphone, as a key of the page's words. */
export function reasonOf(error) {
  if (!navigator.mediaDevices) return "microphone.insecure";
  const reasons = { NotAllowedError: "microphone.denied", SecurityError: "microphone.denied", NotFoundError: "microphone.none", NotReadableError: "microphone.busy", OverconstrainedError: "microphone.gone" };
  return reasons[error?.name] ?? "microphone.failed";
}

export class Microphone extends EventTarget {
  /**
   * Ask for it and open it. `device`: an id of `enumerateDevices`, or "" for the browser's choice. `echo`: whether the
   * browser's echo cancellation is on: wanted with loudspeakers; with headphones it only costs quality.
   */
  static async open({ device = "", echo = true } = {}) {
    const audio = { ...WANTED, echoCancellation: echo, ...(device ? { deviceId: { exact: device } } : {}) };
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    const context = new AudioContext({ latencyHint: "interactive" });
    try {
      await context.audioWorklet.addModule("/static/js/live/capture-worklet.js");
    } catch (error) {
      for (const track of stream.getTracks()) track.stop();
      throw error;
    }
    return new Microphone(stream, context);
  }

  constructor(stream, context) {
    super();
    this.stream = stream;
    this.context = context;
    this.position = 0; // samples at 16 kHz since the beginning
    this.level = 0;
    this.node = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
    this.node.port.onmessage = ({ data }) => this.took(data);
    context.createMediaStreamSource(stream).connect(this.node);
    const [track] = stream.getAudioTracks();
    track.addEventListener("ended", () => this.dispatchEvent(new Event("lost")));
    context.addEventListener("statechange", () => this.dispatchEvent(new CustomEvent("state", { detail: context.state })));
    context.resume();
  }

  get label() {
    return this.stream.getAudioTracks()[0]?.label ?? "";
  }

  /** Whether the browser really cancels echo on this track. */
  get cancelsEcho() {
    return this.stream.getAudioTracks()[0]?.getSettings().echoCancellation === true;
  }

  took({ pcm, rms }) {
    this.level = rms;
    this.dispatchEvent(new CustomEvent("frame", { detail: { pcm, rms, position: this.position } }));
    this.position += pcm.length;
  }

  close() {
    for (const track of this.stream.getTracks()) track.stop();
    this.node.port.onmessage = null;
    return this.context.close();
  }
}

/** The microphones and loudspeakers there are; names only once the microphone was permitted. */
export async function devices() {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const of = (kind) => all.filter((each) => each.kind === kind && each.deviceId !== "default" && each.deviceId !== "communications");
  return { microphones: of("audioinput"), speakers: of("audiooutput") };
}

/** RMS as dBFS, -90 at silence. */
export const decibels = (rms) => Math.max(-90, 20 * Math.log10(rms + 1e-9));
