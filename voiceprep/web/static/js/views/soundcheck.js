/** The sound check: is one heard, does one hear, how does one usually speak, and how does one sound. */
import { ApiError, TOKEN, get } from "../api.js";
import { choice, fill, h } from "../dom.js";
import { language, t } from "../i18n.js";
import { Microphone, decibels, devices, reasonOf } from "../live/microphone.js";
import { announce, button, toast } from "../parts.js";
import { prefer, prefs } from "../prefs.js";

const RECORD = 10;
const PACE = 60; // seconds read aloud, at most
const VOICE = 15; // seconds from which a voice is known again
const RATE = 16000;

export async function view() {
  const check = new SoundCheck();
  const { kept } = await get("/api/own-voice");
  if (kept) check.known({ kept });
  return { title: t("check.title"), element: check.element, leave: () => check.close(), shown: () => check.open() };
}

class SoundCheck {
  constructor() {
    this.recording = null;
    this.level = h("i");
    this.says = h("p", { class: "quiet", role: "status" });
    this.devices = h("select", { "aria-label": t("check.device"), onchange: ({ target }) => { prefer({ device: target.value }); this.open(); } });
    this.echo = h("p", { class: "faint" });
    this.result = h("div", { "aria-live": "polite" });
    this.pace = h("div", { "aria-live": "polite" });
    this.voice = h("div", { "aria-live": "polite" });
    const step = (title, about, ...content) => h("li", null, h("div", null, h("h2", null, title), about && h("p", { class: "quiet" }, about), content));
    this.recorder = button(t("check.record"), () => this.record(RECORD, (pcm) => this.heard(pcm), this.recorder, "check.record"), { kind: "strong", drawing: "microphone" });
    this.reader = button(t("check.pace.do"), () => this.record(PACE, (pcm) => this.paced(pcm), this.reader, "check.pace.do", "check.pace.stop"), { drawing: "microphone" });
    this.talker = button(t("check.voice.do"), () => this.record(VOICE, (pcm) => this.voiced(pcm), this.talker, "check.voice.do"), { drawing: "microphone" });
    this.able(false); // until there is a microphone
    this.element = h("div", null,
      h("header", { class: "titles" }, h("p", { class: "crumb" }, h("a", { href: "#/" }, t("nav.practise"))), h("h1", null, t("check.title")), h("p", { class: "lede" }, t("check.lede"))),
      h("ol", { class: "steps" },
        step(t("check.step.device"), t("check.step.device.about"), this.devices, h("div", { class: "meter", role: "img", "aria-label": t("check.level") }, this.level, h("span", { class: "zone" })), this.says),
        step(t("check.step.ears"), t("check.step.ears.about"), choice("headphones", t("round.sound"), [["yes", t("sound.headphones")], ["no", t("sound.speakers")]], prefs().headphones ? "yes" : "no", (yes) => { prefer({ headphones: yes === "yes" }); this.open(); }), this.echo),
        step(t("check.step.record"), t("check.step.record.about"), this.recorder, this.result),
        step(t("check.step.pace"), t("check.step.pace.about"), h("p", { class: "reading-text" }, t("check.pace.text")), this.reader, this.pace),
        step(t("check.step.voice"), t("check.step.voice.about"), this.talker, this.voice)),
      h("p", { class: "part" }, h("a", { class: "button strong", href: "#/", onclick: () => prefer({ checked: true }) }, t("check.done"))));
  }

  able(to) {
    for (const each of [this.recorder, this.reader, this.talker]) each.disabled = !to;
  }

  async open() {
    await this.mic?.close();
    this.mic = null;
    const { device, headphones } = prefs();
    let mic;
    try {
      mic = await Microphone.open({ device, echo: !headphones });
    } catch (error) {
      const key = reasonOf(error);
      if (key === "microphone.gone" && device) {
        prefer({ device: "" });
        return this.open();
      }
      fill(this.says, t(key), " ", t(`${key}.mend`), " ", button(t("do.again"), () => this.open(), { kind: "small" }));
      this.able(false);
      return undefined;
    }
    if (this.closed) return mic.close();
    this.mic = mic;
    this.able(true);
    this.peak = -90;
    this.quiet = 0;
    mic.addEventListener("frame", ({ detail }) => this.frame(detail));
    mic.addEventListener("lost", () => this.open());
    fill(this.echo, t(mic.cancelsEcho ? "check.echo.on" : "check.echo.off"));
    const { microphones } = await devices();
    fill(this.devices, h("option", { value: "" }, t("check.device.default")), microphones.map(({ deviceId, label }) => h("option", { value: deviceId, selected: deviceId === device }, label || deviceId.slice(0, 6))));
    return undefined;
  }

  frame({ pcm, rms }) {
    const level = decibels(rms);
    this.peak = Math.max(level, this.peak - 0.4);
    this.level.style.setProperty("--level", Math.max(0, Math.min(1, (this.peak + 60) / 54)).toFixed(3));
    this.quiet = level < -75 ? this.quiet + pcm.length : 0;
    const key = this.quiet > 3 * RATE ? "check.says.silence" : this.peak < -40 ? "check.says.quiet" : this.peak > -10 ? "check.says.loud" : "check.says.good";
    if (this.key !== key) {
      this.key = key;
      this.says.textContent = t(key);
    }
    this.recording?.push(pcm);
  }

  /** Record so long, or until the button is pressed again. */
  async record(seconds, then, where, key, stopKey = "check.recording") {
    if (this.recording) this.stop?.();
    if (!this.mic || this.recording) return;
    const pieces = [];
    this.recording = pieces;
    const mic = this.mic;
    await new Promise((done) => {
      const stop = this.stop = () => { mic.removeEventListener("frame", count); done(); };
      const count = () => {
        const left = seconds - pieces.reduce((sum, each) => sum + each.length, 0) / RATE;
        where.lastChild.textContent = t(stopKey, { seconds: Math.max(0, Math.ceil(left)) });
        if (left <= 0) stop();
      };
      mic.addEventListener("frame", count);
      mic.addEventListener("lost", stop, { once: true });
    });
    this.recording = null;
    where.lastChild.textContent = t(key);
    if (this.closed) return;
    const pcm = new Int16Array(pieces.reduce((sum, each) => sum + each.length, 0));
    pieces.reduce((at, each) => { pcm.set(each, at); return at + each.length; }, 0);
    await then(pcm.subarray(0, seconds * RATE));
  }

  /** The server judges with the same ears that listen in a session; the recording is played back from here. */
  async judge(pcm) {
    return this.send("/api/sound-check", pcm);
  }

  async send(path, pcm, method = "POST") {
    const kind = pcm ? { "Content-Type": "application/octet-stream" } : {};
    const answer = await fetch(path, { method, headers: { "X-Voiceprep-Token": TOKEN, ...kind }, body: pcm });
    const told = await answer.json();
    if (!answer.ok) throw new ApiError(answer.status, told);
    return told;
  }

  /** What is kept of the minutes, or of the voice, goes. */
  async forget(path, where) {
    try {
      await this.send(path, undefined, "DELETE");
      this.there &&= path !== "/api/own-voice";
      fill(where, h("p", null, t("check.forgotten")));
    } catch (error) {
      toast(error.message);
    }
  }

  async heard(pcm) {
    const player = h("audio", { controls: true, src: URL.createObjectURL(wav(pcm)), "aria-label": t("check.playback") });
    fill(this.result, player, h("p", { class: "faint" }, t("page.waiting")));
    try {
      const { verdicts } = await this.judge(pcm);
      fill(this.result, player, h("ul", { class: "checks" }, verdicts.map(({ name, ok, detail, fix }) => h("li", null, h("span", { class: ok ? "ok" : "bad", role: "img", "aria-label": t(ok ? "doctor.ok" : "doctor.bad") }, ok ? "✓" : "✕"), h("b", null, name), h("div", null, h("p", null, detail), !ok && fix && h("p", { class: "faint" }, fix))))));
      announce(t(verdicts.every(({ ok }) => ok) ? "check.fine" : "check.wrong"));
      if (verdicts.every(({ ok }) => ok)) prefer({ checked: true });
    } catch (error) {
      toast(error.message);
    }
  }

  async paced(pcm) {
    try {
      fill(this.pace, h("p", { class: "faint" }, t("page.waiting")));
      const told = await this.send(`/api/own-pace?lang=${language()}`, pcm);
      const figures = h("p", { class: "figures" }, told.kept ? t("check.pace.result", { seconds: Math.round(told.seconds), rate: Math.round(told.rate), unit: t("check.unit") }) : t(`check.pace.${told.reason}`));
      fill(this.pace, figures, told.kept && this.forgetter("/api/own-pace", this.pace));
    } catch (error) {
      toast(error.message);
    }
  }

  async voiced(pcm) {
    try {
      fill(this.voice, h("p", { class: "faint" }, t("page.waiting")));
      this.known(await this.send("/api/own-voice", pcm));
    } catch (error) {
      fill(this.voice);
      toast(error.message);
    }
  }

  /** What was just heard of the voice, or was kept some day; what was kept stays where this time it was not. */
  known({ kept, reason }) {
    this.there ||= kept;
    fill(this.voice, h("p", null, t(kept ? "check.voice.kept" : `check.voice.${reason}`)), this.there && this.forgetter("/api/own-voice", this.voice));
  }

  forgetter(path, where) {
    return button(t("check.forget"), () => this.forget(path, where), { kind: "small" });
  }

  close() {
    this.closed = true;
    this.mic?.close();
  }
}

/** PCM16 mono at 16 kHz as a WAV file, for an audio element. */
function wav(pcm) {
  const head = new DataView(new ArrayBuffer(44));
  const text = (at, letters) => [...letters].forEach((letter, n) => head.setUint8(at + n, letter.charCodeAt(0)));
  text(0, "RIFF");
  head.setUint32(4, 36 + pcm.byteLength, true);
  text(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, RATE, true);
  head.setUint32(28, RATE * 2, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  text(36, "data");
  head.setUint32(40, pcm.byteLength, true);
  return new Blob([head, pcm], { type: "audio/wav" });
}
