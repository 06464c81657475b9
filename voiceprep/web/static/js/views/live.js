/** A round or a drill, live: the page's part is to carry sound both ways and to stay calm. */
import { get, restarted } from "../api.js";
import { fill, h } from "../dom.js";
import { known, language, side, t } from "../i18n.js";
import { brokenOff } from "../live/broken.js";
import { controlsOf, keysOf } from "../live/controls.js";
import { Cover } from "../live/cover.js";
import { Dials } from "../live/dials.js";
import { Line } from "../live/line.js";
import { Margin } from "../live/margin.js";
import { Microphone, decibels } from "../live/microphone.js";
import { Presence } from "../live/presence.js";
import { readiness } from "../live/readiness.js";
import { Script } from "../live/script.js";
import { SectionBar } from "../live/sectionbar.js";
import { Speaker } from "../live/speaker.js";
import { begin, take } from "../live/state.js";
import { Strip, heightOf } from "../live/strip.js";
import { announce, button, confirm, fermata, toast } from "../parts.js";
import { prefer, prefs } from "../prefs.js";
import { go, link } from "../router.js";
import { keys } from "../shortcuts.js";

const HEARD_EVERY = 0.25;
const page = () => performance.now() / 1000;

/** What `hello` asks for, from the address and from what this browser prefers. */
function wantedOf(id, values) {
  const own = prefs();
  const text = (name) => values.get(name) || null;
  const session = id || null;
  const common = { audio: text("audio") ?? own.audio, headphones: own.headphones, page: language() };
  if (session) return { ...common, session, take_over: values.get("take") === "1" };
  return {
    ...common, round: text("round"), drill: text("drill"), loop: text("loop"), anew: values.get("anew") === "1" || null, question: text("question"), resumes: text("resumes"), take: text("take"),
    lang: text("lang") ?? (own.lang || null), mode: text("mode") ?? own.mode, lens: text("lens"),
    severity: Number(values.get("severity") ?? own.severity),
  };
}

export async function view({ id, values }) {
  const stage = new Stage(wantedOf(id, values));
  return { element: stage.element, title: t("live.title"), leave: () => stage.close(), shown: () => stage.start() };
}

class Stage {
  constructor(wanted) {
    this.wanted = wanted;
    this.state = begin();
    this.pushing = prefs().talk === "push";
    this.talking = false;
    this.element = h("div", { class: "live" });
    this.cover = new Cover();
    this.mic = null;
    this.speaker = null;
    this.level = -90;
    this.letGo = () => this.talk(false); // a key that is let go elsewhere is heard by nobody here
    addEventListener("blur", this.letGo);
    this.heardAt = 0;
  }

  async start() {
    document.body.classList.add("in-session");
    fill(this.element, this.cover.element);
    this.cover.waiting("live.opening");
    try {
      this.speaker = await Speaker.open();
    } catch (error) {
      this.cover.failed(error, () => this.start());
      return;
    }
    for (const what of ["playing", "stopped", "drained", "paused"]) {
      this.speaker.addEventListener(what, ({ detail }) => this.heard(what, detail.place));
    }
    if (this.wanted.audio === "browser" && !(await this.openMicrophone())) return;
    this.connect();
  }

  async openMicrophone() {
    const { device, headphones } = prefs();
    try {
      this.mic = await Microphone.open({ device, echo: !headphones });
    } catch (error) {
      const device = () => { this.wanted.audio = "device"; this.start(); };
      this.cover.noMicrophone(error, this.wanted, { again: () => this.start(), device });
      return false;
    }
    if (this.closed) {
      this.mic.close();
      return false;
    }
    this.mic.addEventListener("frame", ({ detail }) => this.frame(detail));
    this.mic.addEventListener("lost", () => this.microphoneLost());
    return true;
  }

  async microphoneLost() {
    this.mic?.close();
    this.mic = null;
    this.state.trouble = { code: "microphone-lost", message: t("microphone.lost") };
    this.render();
    if (await this.openMicrophone()) {
      this.state.trouble = null;
      this.render();
    }
  }

  frame({ pcm, rms }) {
    if (this.state.phase === "paused" || this.state.phase === "ended") return;
    const silent = this.state.muted || (this.pushing && !this.talking);
    this.level = silent ? -90 : Math.max(decibels(rms), this.level - 3);
    this.line?.sound(silent ? new Int16Array(pcm.length) : pcm);
  }

  connect() {
    this.cover.waiting("live.connecting");
    this.line = new Line(this.wanted);
    this.line.addEventListener("message", ({ detail }) => this.took(detail));
    this.line.addEventListener("voice", ({ detail }) => this.speaker.enqueue(detail.position, detail.pcm));
    this.line.addEventListener("down", ({ detail }) => this.down(detail));
    this.line.addEventListener("up", () => this.up());
    this.line.connect();
  }

  heard(what, position) {
    const now = page();
    if (what === "playing" && now - this.heardAt < HEARD_EVERY) return;
    this.heardAt = now;
    this.line?.say("heard", { position, latency: Math.min(5, this.speaker.latency) });
  }

  async took(message) {
    take(this.state, message, page());
    switch (message.kind) {
      case "welcome":
        this.ready = this.welcomed(message);
        return this.ready;
      case "history":
        this.remembered(message); // before the next message, which goes on from here
        await this.ready;
        if (this.closed) return undefined;
        this.script.clear();
        this.margin.clear();
        break;
      case "voice_stop":
        return this.speaker.stop();
      case "pause_speaking":
        return this.speaker.pause();
      case "resume_speaking":
        return this.speaker.resume();
      case "stop_speaking":
        return this.speaker.stop();
      case "level":
        if (this.wanted.audio === "device") this.level = message.dbfs;
        return undefined;
      case "clock":
        return undefined;
      case "preparing":
        return this.preparing(message.what);
      case "refused":
        return this.refused(message);
      case "taken_over":
        return this.takenOver();
      case "saved":
        return this.saved(message);
      case "flag_raised":
        announce(message.advice);
        break;
      case "warned":
        return this.cannot(message.code);
      default:
    }
    if (this.built) this.render();
    return undefined;
  }

  /** What this session has no way to do is said, not passed over. */
  cannot(code) {
    const why = known(`warned.${code}`);
    if (!why) return;
    toast(why);
    announce(why);
  }

  async welcomed({ session, round, drill, audio }) {
    this.pushing &&= audio === "browser"; // the server's own microphone has no key here
    history.replaceState(null, "", link("live", session));
    if (!this.built) {
      const map = round ? await get(`/api/rounds/${encodeURIComponent(round)}`).catch(() => null) : (await get("/api/drills").catch(() => null))?.drills.find(({ id }) => id === drill);
      if (this.closed) return;
      this.build(map, round || drill);
    }
    this.loading?.close();
    this.loading = null;
    this.cover.hide();
    this.render();
    this.tick();
    navigator.wakeLock?.request("screen").then((lock) => { this.lock = lock; }, () => {});
  }

  /** All that has happened so far, for a page that was loaded anew or was away: it begins again from nothing. */
  remembered({ events }) {
    const { welcome, phase, muted, at, media, told } = this.state;
    Object.assign(this.state, begin(), { welcome, spent: { ...welcome.spent }, phase, muted, at, media, told });
    for (const event of events) take(this.state, event, page());
    if (!["paused", "closing"].includes(this.state.phase)) this.state.phase = phase;
  }

  build(map, round) {
    const persona = map?.interviewer ?? { id: round, name: t("replay.interviewer"), role: "" };
    this.name = side(persona.name, this.state.welcome.language);
    const presence = new Presence(persona.id);
    this.script = new Script(this.name);
    const sections = new SectionBar(map?.sections ?? []);
    const total = (map?.sections ?? []).reduce((sum, { budget }) => sum + budget, 0);
    const canvas = h("canvas", { class: "strip", "aria-hidden": "true" });
    this.strip = new Strip(canvas);
    this.parts = {
      clock: h("time", { class: "clock figures", role: "timer", "aria-label": t("live.clock") }), where: h("span", { class: "where figures" }),
      floor: h("p", { class: "floor", role: "status" }), think: h("p", { class: "think figures", hidden: true }),
      banner: h("div", { class: "banner", role: "alert", hidden: true }),
      behind: h("p", { class: "behind faint", hidden: true }), gauge: h("div", { class: "countdown figures", role: "timer", "aria-label": t("live.left"), hidden: true }),
      cue: h("p", { class: "cue", role: "status", hidden: true }),
    };
    this.margin = new Margin(this.state.welcome.mode);
    const p = this.parts;
    const { buttons, element: desk } = controlsOf(this);
    this.buttons = buttons;
    this.dials = new Dials({ element: this.element, parts: p, name: this.name, presence, sections, total });
    fill(this.element,
      h("header", { class: "top" },
        h("div", { class: "title" }, fermata({ class: "mark" }), h("div", null, h("h1", null, side(map?.title) || round), h("p", { class: "faint" }, t(`mode.${this.state.welcome.mode}`)))),
        sections.element, h("div", { class: "time" }, p.clock, p.where)),
      p.banner,
      h("section", { class: "seat", "aria-label": t("live.opposite") }, presence.element, h("p", { class: "name" }, this.name), h("p", { class: "role faint" }, side(persona.role)), p.floor, p.think, p.gauge, p.cue),
      h("section", { class: "words", "aria-label": t("live.script") }, this.script.list, p.behind),
      this.margin.element,
      h("footer", { class: "desk" }, canvas, desk), this.cover.element);
    this.built = true;
    this.release = keys(keysOf(this));
  }

  handOver() {
    if (this.line.say("hand_over")) this.flash("hand");
  }

  note() {
    if (this.line.say("note", { text: "" })) {
      this.flash("note");
      announce(t("live.noted"));
    }
  }

  flash(name) {
    const place = this.buttons[name];
    place.classList.remove("done");
    void place.offsetWidth; // the animation starts anew
    place.classList.add("done");
  }

  mute() {
    this.line.say("mute", { on: !this.state.muted });
  }

  /** Push to talk: the microphone is open as long as the key is held. */
  talk(on) {
    if (!this.pushing || on === this.talking) return;
    this.talking = on;
    this.line.say("talk", { on });
    this.render();
  }

  push() {
    if (this.state.welcome.audio === "device") return this.cannot("no-mute");
    this.pushing = !this.pushing;
    this.talking = false;
    prefer({ talk: this.pushing ? "push" : "open" });
    this.line.say("talk", { on: !this.pushing });
    this.render();
  }

  pause() {
    this.line.say(this.state.phase === "paused" ? "resume" : "pause");
  }

  async end() {
    if (this.state.phase === "closing" || !(await confirm(t("live.end.title"), t("live.end.text"), t("live.end.do")))) return;
    if (!this.line.say("end", this.state.welcome.drill ? { later: true } : {})) return;
    this.state.phase = "closing";
    this.speaker.stop();
    this.cover.saving();
  }

  async down({ final }) {
    if (final) {
      if (["refused", "taken", "ended"].includes(this.state.phase)) return;
      // A server that was started anew knows neither this page nor its session: loaded again, the page asks what became of it.
      if (await restarted()) location.reload();
      else this.cover.gone();
      return;
    }
    this.speaker.stop();
    this.offline = page();
    if (this.built) this.render();
    else this.cover.waiting("live.connecting");
  }

  up() {
    this.offline = null;
    if (this.pushing) this.line.say("talk", { on: this.talking });
    if (this.built) this.render();
  }

  async refused({ code, message, hint, session }) {
    if (code === "session-over" && this.wanted.session) {
      this.close();
      const cover = await brokenOff(this.wanted.session);
      if (cover) this.cover.show(cover);
      else go("replay", this.wanted.session);
      return;
    }
    if (code === "other-tab" || (code === "busy" && session)) {
      this.cover.elsewhere("other", () => this.take(session));
      return;
    }
    this.cover.refused({ code, message, hint }, () => this.again());
  }

  again() {
    this.line.close();
    this.connect();
  }

  take(session) {
    this.line.close();
    const { audio, headphones, page: tongue } = this.wanted;
    this.wanted = { session, take_over: true, audio, headphones, page: tongue };
    this.connect();
  }

  takenOver() {
    this.speaker.stop();
    const { session } = this.line;
    this.cover.elsewhere("taken", () => this.take(session));
  }

  saved({ session }) {
    this.close();
    go("replay", session);
  }

  /** What the server loads is loaded once: how far it is with that is shown, then only what this round needs. */
  preparing(what) {
    if (!this.loading) {
      this.loading = readiness();
      this.cover.waiting("live.preparing", this.loading.element);
    }
    this.loading.otherwise(language() === "en" ? what : ""); // told in English only: what is wrong comes with a code
  }

  /** The words and what changes with messages. */
  render() {
    const { state, parts } = this;
    const paused = state.phase === "paused";
    this.element.classList.toggle("paused", paused);
    this.script.show(state);
    this.margin.show(state.flags);
    this.banner();
    parts.behind.hidden = !state.behind;
    parts.behind.textContent = state.behind ? t("live.behind", { seconds: Math.round(state.behind) }) : "";
    this.buttons.mute.setAttribute("aria-pressed", String(state.muted));
    this.buttons.pause.setAttribute("aria-pressed", String(paused));
    this.buttons.pause.querySelector(".text").textContent = t(paused ? "live.do.resume" : "live.do.pause");
    this.buttons.pause.hidden = !state.welcome.pausable;
    this.buttons.mute.hidden = this.buttons.push.hidden = state.welcome.audio === "device";
    this.buttons.talk.hidden = !this.pushing;
    this.buttons.push.setAttribute("aria-pressed", String(this.pushing));
    this.buttons.talk.classList.toggle("held", this.talking);
  }

  banner() {
    const { banner } = this.parts;
    const { state } = this;
    const sound = !this.speaker.allowed && state.phase === "live";
    banner.hidden = !(this.offline || state.trouble || sound);
    if (this.offline) fill(banner, h("strong", null, t("live.offline")), h("span", { class: "figures" }));
    else if (sound) fill(banner, h("span", null, t("live.silent")), button(t("live.silent.do"), async () => { await this.speaker.allow(); this.mic?.context.resume(); this.render(); }, { kind: "small" }));
    else if (state.trouble) fill(banner, h("span", { title: state.trouble.message }, known(`edge.${state.trouble.code}`) ?? state.trouble.message), button(t("do.close"), () => { state.trouble = null; this.render(); }, { kind: "small plain" }));
  }

  /** The clocks, the face and the sound, with every frame of the screen. */
  tick() {
    if (this.ticking) return;
    this.ticking = true;
    const step = () => {
      if (this.closed) return;
      const now = page();
      this.dials.show(this.state, now, this.speaker.level, this.offline);
      this.margin.age(this.state, now);
      const voice = this.state.speaking ? this.speaker.level : 0;
      this.strip.feed(now, heightOf(this.level), voice);
      this.strip.draw();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    removeEventListener("blur", this.letGo);
    this.release?.();
    this.loading?.close();
    this.line?.close();
    this.mic?.close();
    this.speaker?.close();
    this.lock?.release();
    document.body.classList.remove("in-session");
  }
}
