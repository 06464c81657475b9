/** A session to look back on: what was said, how it sounded, and what to make of it. */
import { get, remove, post } from "../api.js";
import { choice, fill, fresh, h, icon } from "../dom.js";
import { clock, moment, place } from "../format.js";
import { language, side, t } from "../i18n.js";
import { ICONS } from "../icons.js";
import { announce, button, failed, flagMark, named, toast } from "../parts.js";
import { Progress, swap, swapped } from "../recording.js";
import { drillPanel } from "../replay/drillpanel.js";
import { take } from "../replay/early.js";
import { Lanes, SILENCE } from "../replay/lanes.js";
import { Notes } from "../replay/notes.js";
import { Player } from "../replay/player.js";
import { Quiz } from "../replay/quiz.js";
import { reviewPanel } from "../replay/reviewpanel.js";
import { Shifts } from "../replay/shifts.js";
import { Takes } from "../replay/takes.js";
import { Transcript } from "../replay/transcript.js";
import { Wave } from "../replay/wave.js";
import { address, go, link, remember } from "../router.js";
import { keys } from "../shortcuts.js";

const RATES = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
const LANES = ["sections", "silence", "flags", "evidence", "notes"];
const LONG_PAUSE = 4;

export async function view({ id, values }) {
  const { words, asked } = take(id, values);
  const session = await asked;
  const drill = session.header.drill ? await takeOf(session) : null;
  const replay = new Replay(session, drill, words);
  return { element: replay.element, title: replay.title, leave: () => replay.close(), shown: () => replay.start(values) };
}

const titleOf = ({ header, titles }, drill) => drill?.title || side(titles?.title) || header.round || t("replay.recording");

/** What came of a take of a drill, with the titles of drills. */
async function takeOf(session) {
  const [{ drills }, take] = await Promise.all([get("/api/drills"), get(`/api/sessions/${encodeURIComponent(session.id)}/take`, { lang: language() }).catch(() => null)]);
  const titles = new Map(drills.map(({ id, title }) => [id, side(title)]));
  return { take, titles, title: titles.get(session.header.drill) ?? session.header.drill };
}

class Replay {
  constructor(session, drill, words) {
    words.duration = session.duration;
    Object.assign(this, { session, drill, words });
    this.path = `/api/sessions/${encodeURIComponent(session.id)}`;
    this.name = (session.held && side(session.titles?.interviewer, session.header.language)) || t("replay.interviewer"); // as it was said
    this.title = titleOf(session, drill);
    const audio = (track) => (session.audio[track]?.duration ? `${this.path}/audio/${track}` : null);
    this.shifts = new Shifts(session.clock);
    this.player = new Player(audio("candidate"), audio("interviewer"), (media) => this.shifts.there(media));
    this.notes = new Notes(session.id, (time) => this.seek(time));
    this.transcript = new Transcript({ words: this.words, turns: this.session.turns, pauses: this.session.pauses, player: this.player, name: this.name, language: session.header.language });
    const tracks = Object.entries(session.audio).filter(([, { duration }]) => duration).map(([track]) => track);
    this.wave = new Wave({ session: session.id, duration: Math.max(0.1, session.duration), tracks, player: this.player, shifts: this.shifts });
    this.lanes = new Lanes({ wave: this.wave, player: this.player, items: this.items(), names: LANES });
    this.element = this.build();
  }

  async start(values) {
    this.wire();
    this.release = keys(this.keys());
    const time = Number(values.get("t"));
    if (time > 0) this.player.seek(time);
    else this.transcript.show(0);
    this.lanes.soon();
    const shown = this.wave.show().catch((error) => fill(this.wave.element, failed(error)));
    await Promise.all([shown, this.notes.load().catch((error) => fill(this.notes.element, failed(error)))]);
    this.lanes.soon();
    await this.look();
  }

  /** The review comes after the rest: it takes longest to make. */
  async look() {
    const review = await get(`${this.path}/review`, { lang: language() }).catch(() => null);
    if (this.closed) return;
    this.review = review;
    fill(this.panels.review, review ? reviewPanel(review, (time) => this.seek(time, true)) : h("p", { class: "empty" }, t("review.none")));
    if (review?.quiz?.length) {
      this.quiz = new Quiz(review.quiz, review.names, this.notes, (time) => this.seek(time, true));
      fill(this.panels.quiz, this.quiz.element);
    }
    this.lanes.put(this.items());
    this.mark();
  }

  items() {
    const { session, review } = this;
    const title = (id) => side(session.titles?.sections[id]) || id;
    const evidence = (review?.annotations ?? []).filter(({ layer, kind }) => layer === "machine" && ["signal", "trap", "evidence"].includes(kind));
    return [
      ...session.sections.map(({ section, start, end, budget }) => ({ lane: "sections", start, end, over: budget > 0 && end - start > budget, text: `${title(section)} ${clock(end - start)}${budget ? ` / ${clock(budget)}` : ""}` })),
      ...session.pauses.filter(({ start, end }) => end - start >= SILENCE).map(({ start, end, kind }) => ({ lane: "silence", start, end, text: t(`pause.${kind}`) })),
      ...session.flags.map(({ start, end, rule, level, advice }) => ({ lane: "flags", start, end, level, text: `${named("rule", rule)}: ${advice}` })),
      ...session.gaps.map(({ start, end, reason }) => ({ lane: "flags", start, end, level: "notice", text: named("gap", reason) })),
      ...evidence.map(({ anchor, kind, text, name }) => ({ lane: "evidence", start: anchor.start, end: anchor.end, fault: kind === "trap", text: text || name })),
      ...this.notes.all.filter(({ kind }) => ["note", "star", "label"].includes(kind)).map(({ anchor, text, kind }) => ({ lane: "notes", start: anchor.start, end: anchor.end, text: text || t(`note.${kind}`) })),
    ];
  }

  build() {
    const { session } = this;
    const head = h("header", { class: "titles row" },
      h("div", null, h("p", { class: "crumb" }, h("a", { href: "#/sessions" }, t("nav.sessions"))), h("h1", null, this.title),
        h("p", { class: "faint figures" }, [moment(session.header.started), clock(session.duration), ...(session.header.source === "demo" ? [t("sessions.demonstration")] : []), ...(session.held ? [this.name, t(`mode.${session.header.mode}`)] : []), named("ended", session.ended || "running")].join(" · "))),
      h("div", { class: "rowed" }, session.titles && h("a", { class: "button", href: link("round", session.header.round) }, t("replay.again")), this.menu()));
    const zoom = h("input", { type: "range", min: 0, max: 100, value: 0, "aria-label": t("replay.zoom"), oninput: ({ target }) => this.zoom(Number(target.value)) });
    this.zoomer = zoom;
    const score = h("section", { class: "score-sheet", "aria-label": t("replay.picture") },
      h("div", { class: "lane-names" }, h("span", { class: "candidate" }, t("live.you")), h("span", { class: "interviewer" }, this.name), this.lanes.labels),
      h("div", { class: "score-body" }, this.wave.element, this.lanes.canvas, this.lanes.line, this.lanes.tip));
    const result = this.drill?.take ? drillPanel(this.drill.take, this.drill.titles, (time) => this.seek(time, true)) : null;
    return h("div", { class: "replay" }, head, this.whose(), result, score, this.bar(zoom), h("div", { class: "reading" }, this.reader(), this.side()));
  }

  /** Which of two people is the candidate nobody can hear: it was guessed, and the user knows better. */
  whose() {
    const { session } = this;
    if (session.header.source !== "file" || session.held || !session.utterances.length || !session.audio.interviewer?.duration) return null;
    this.swapping = new Progress((told) => (told.state === "done" ? swapped(told) : (run.disabled = false)));
    const run = button(t("swap.do"), async () => {
      run.disabled = true;
      await swap(session.id, this.swapping).catch((error) => { run.disabled = false; toast(error.message); });
    }, { kind: "small" });
    return h("section", { class: "whose" }, h("p", { class: "faint" }, t("swap.hint")), run, this.swapping.element);
  }

  menu() {
    const list = h("div", { class: "menu-list", hidden: true });
    const open = button(t("replay.export"), async () => {
      list.hidden = !list.hidden;
      open.setAttribute("aria-expanded", String(!list.hidden));
      if (!list.hidden && !list.childElementCount) {
        const { formats } = await get(`${this.path}/export`);
        fill(list, formats.map(({ name, suffix }) => h("a", { href: `${this.path}/export/${name}`, download: "" }, h("b", null, named("format", name)), " ", h("span", { class: "faint" }, suffix))),
          h("button", { type: "button", class: "danger", onclick: () => this.delete() }, t("replay.delete")));
      }
    }, { "aria-expanded": "false" });
    const box = h("div", { class: "menu", onkeydown: (event) => { if (event.key === "Escape") { list.hidden = true; open.focus(); } } }, open, list);
    this.shut = (event) => { if (!box.contains(event.target)) { list.hidden = true; open.setAttribute("aria-expanded", "false"); } };
    document.addEventListener("click", this.shut);
    return box;
  }

  async delete() {
    const { deleted } = await remove(this.path);
    go("sessions");
    toast(t("sessions.deleted"), { text: t("do.undo"), run: async () => { await post(`/api/trash/${encodeURIComponent(deleted)}/restore`); go("replay", deleted); } });
  }

  bar(zoom) {
    const control = (drawing, label, run, more = {}) => h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: run, ...more }, icon(ICONS[drawing]));
    this.parts = {
      play: h("button", { type: "button", class: "play", "aria-label": t("replay.play"), onclick: () => this.player.toggle() }, icon(ICONS.play)),
      time: h("span", { class: "time figures" }, place(0)),
      rate: h("select", { "aria-label": t("replay.speed"), onchange: ({ target }) => { this.player.rate = Number(target.value); } }, RATES.map((rate) => h("option", { value: rate, selected: rate === 1 }, `${rate}×`))),
      loop: control("loop", t("replay.loop"), () => this.loop(), { "aria-pressed": "false" }),
      follow: h("button", { type: "button", class: "button small", "aria-pressed": "true", onclick: () => this.transcript.follow(!this.transcript.following) }, icon(ICONS.follow), t("replay.follow")),
    };
    const p = this.parts;
    return h("div", { class: "deck", role: "toolbar", "aria-label": t("replay.player") },
      h("div", { class: "rowed" }, control("back", t("replay.back"), () => this.by(-5)), p.play, control("next", t("replay.on"), () => this.by(5)), p.time, h("span", { class: "faint figures" }, clock(this.session.duration))),
      h("div", { class: "rowed" }, p.rate, p.loop, choice(fresh("voices"), t("replay.voices"), [["both", t("replay.both")], ["candidate", t("live.you")], ["interviewer", this.name]], "both", (who) => { this.player.voices = who; }), p.follow),
      h("div", { class: "rowed spring" }, this.jumps(), button(t("replay.share"), () => this.share(), { kind: "small" }), h("label", { class: "zoom" }, icon(ICONS.search), zoom)));
  }

  jumps() {
    return h("div", { class: "jumps", role: "group", "aria-label": t("replay.jump") }, ["flag", "question", "pause"].map((what) => h("button", { type: "button", class: "button small", title: t(`replay.jump.${what}`), onclick: () => this.jump(what, 1) }, t(`replay.to.${what}`))));
  }

  reader() {
    const found = h("span", { class: "faint figures", role: "status" });
    this.field = h("input", { type: "search", placeholder: t("replay.search"), "aria-label": t("replay.search"), oninput: () => this.search(found), onkeydown: (event) => {
      if (event.key === "Enter") { event.preventDefault(); this.found(event.shiftKey ? -1 : 1, found); }
      if (event.key === "Escape") { this.field.value = ""; this.search(found); this.transcript.list.focus(); }
    } });
    this.tip = h("div", { class: "selection", role: "toolbar", "aria-label": t("replay.selection"), hidden: true },
      button(t("note.add"), () => this.write("note"), { kind: "small" }), button(t("note.star.do"), () => this.write("star"), { kind: "small" }), button(t("note.label.do"), () => this.write("label"), { kind: "small" }),
      button(t("note.correct"), () => this.correct(), { kind: "small" }), button(t("replay.loop"), () => this.loop(this.transcript.selected()), { kind: "small" }));
    return h("section", { class: "reader", "aria-label": t("replay.transcript") }, h("div", { class: "find" }, icon(ICONS.search), this.field, found), this.transcript.list, this.tip);
  }

  side() {
    const names = ["review", "flags", "notes", "quiz", "takes"];
    this.takes = new Takes(this.session, this.session.header.round);
    this.panels = Object.fromEntries(names.map((name) => [name, h("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: "0", hidden: name !== "review" })]));
    fill(this.panels.review, h("p", { class: "faint" }, t("page.waiting")));
    fill(this.panels.flags, this.flags());
    fill(this.panels.notes, this.notes.element);
    fill(this.panels.quiz, h("p", { class: "empty" }, t("quiz.none")));
    fill(this.panels.takes, this.takes.element);
    const counts = { flags: this.session.flags.length };
    const tabs = names.map((name) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "aria-selected": String(name === "review"), tabindex: name === "review" ? "0" : "-1", onclick: () => this.tab(name) }, t(`replay.tab.${name}`), counts[name] ? h("span", { class: "count figures" }, counts[name]) : null));
    this.tabs = tabs;
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": t("replay.side"), onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const to = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      to.focus();
      to.click();
    } }, tabs);
    return h("section", { class: "aside", "aria-label": t("replay.side") }, list, Object.values(this.panels));
  }

  tab(name) {
    for (const tab of this.tabs) {
      const chosen = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
    for (const [each, panel] of Object.entries(this.panels)) panel.hidden = each !== name;
    if (name === "takes" && !this.takes.rendered) this.takes.render();
  }

  flags() {
    const { flags } = this.session;
    if (!flags.length) return h("p", { class: "empty" }, t("replay.noflags"));
    return h("ol", { class: "items" }, flags.map(({ rule, level, start, end, advice, evidence }) => h("li", { class: `flag ${level}` },
      h("button", { type: "button", class: "at figures", onclick: () => this.seek(Math.max(start, end - 8), true) }, clock(end)),
      h("div", null, h("p", { class: "rule" }, flagMark(level), named("rule", rule), h("span", { class: "faint" }, ` ${t(`flag.${level}`)}`)), h("p", { class: "text" }, advice), evidence && h("p", { class: "faint" }, evidence)))));
  }

  wire() {
    const { player, transcript, parts } = this;
    player.addEventListener("time", () => this.time());
    player.addEventListener("trouble", () => toast(t("replay.trouble")));
    player.addEventListener("state", () => {
      fill(parts.play, icon(ICONS[player.playing ? "pause" : "play"]));
      parts.play.setAttribute("aria-label", t(player.playing ? "replay.pause" : "replay.play"));
      parts.loop.setAttribute("aria-pressed", String(player.looping));
      parts.rate.value = String(player.rate);
      this.lanes.soon();
      if (!player.playing) this.keep();
    });
    transcript.on("seek", (time) => this.seek(time, true));
    transcript.on("correct", (word) => this.correct(word));
    transcript.on("follow", (on) => parts.follow.setAttribute("aria-pressed", String(on)));
    this.selected = () => { this.tip.hidden = !transcript.selected(); };
    document.addEventListener("selectionchange", this.selected);
    this.notes.onChange(() => { this.lanes.put(this.items()); this.mark(); });
    this.valued = () => { const time = Number(address().values.get("t")); if (Math.abs(time - player.time) > 0.2) this.seek(time); };
    addEventListener("values", this.valued);
    this.resized = new ResizeObserver(() => this.lanes.soon());
    this.resized.observe(this.wave.element);
  }

  time() {
    const { time } = this.player;
    const text = place(time);
    if (this.parts.time.textContent !== text) this.parts.time.textContent = text;
    this.transcript.show(time);
    this.lanes.stand(time);
    if (!this.player.playing) this.keep();
  }

  keep() {
    clearTimeout(this.kept);
    this.kept = setTimeout(() => !this.closed && remember({ t: this.player.time > 0.05 ? this.player.time.toFixed(1) : "" }), 250);
  }

  seek(time, play = false) {
    this.player.seek(time);
    if (play) this.player.play();
  }

  by(seconds) {
    this.seek(this.player.time + seconds);
  }

  word(step) {
    const word = this.words.next(this.player.time, step);
    if (word) this.seek(word.start + 0.01);
  }

  jump(what, step) {
    const places = { flag: this.session.flags.map(({ end }) => Math.max(0, end - 3)), question: this.session.questions.map(({ media }) => media), pause: this.session.pauses.filter(({ start, end }) => end - start >= LONG_PAUSE).map(({ start }) => start) }[what];
    const here = this.player.time;
    const to = step > 0 ? places.toSorted((a, b) => a - b).find((time) => time > here + 0.25) : places.toSorted((a, b) => b - a).find((time) => time < here - 0.5);
    if (to === undefined) announce(t("replay.nofurther"));
    else this.seek(to);
  }

  /** The given stretch, the one that is drawn already, or the answer that sounds. */
  loop(region = null) {
    const { player } = this;
    if (player.looping && !region) {
      player.loop(null);
      return;
    }
    const turn = this.session.turns.findLast(({ start }) => start <= player.time);
    const chosen = region ?? player.region ?? (turn && { start: turn.start, end: turn.end });
    if (chosen) player.loop({ start: chosen.start, end: chosen.end });
  }

  zoom(value) {
    const whole = this.wave.element.clientWidth / this.session.duration;
    this.wave.zoom(value === 0 ? 0 : whole * (120 / whole) ** (value / 100));
    if (value) this.wave.scrollTo(Math.max(0, this.player.time - this.wave.seen().width / this.wave.seen().perSecond / 2));
  }

  async search(found) {
    const text = this.field.value;
    this.hits = await this.transcript.search(text).catch((error) => { toast(error.message); return []; });
    if (text !== this.field.value) return;
    this.hit = -1;
    found.textContent = text ? t("replay.hits", { count: this.hits.length }) : "";
    this.mark();
    if (this.hits.length) this.found(1, found);
  }

  found(step, place_) {
    if (!this.hits?.length) return;
    this.hit = (this.hit + step + this.hits.length) % this.hits.length;
    place_.textContent = t("replay.hit", { hit: this.hit + 1, count: this.hits.length });
    this.transcript.following = true;
    this.seek(this.hits[this.hit].start + 0.01);
  }

  mark() {
    const of = (list, kind) => list.filter(({ anchor }) => anchor.first !== null).map(({ anchor, text, kind: own }) => ({ first: anchor.first, last: anchor.last, kind: kind ?? own, text }));
    const machine = (this.review?.annotations ?? []).filter(({ layer, kind }) => layer === "machine" && ["signal", "trap", "filler"].includes(kind));
    this.transcript.annotate([...of(machine), ...of(this.notes.all), ...(this.hits ?? []).filter(({ first }) => first !== undefined).map(({ first, last }) => ({ first, last, kind: "hit" }))]);
  }

  /** A mark of the user's on what is selected, or here. */
  async write(kind) {
    const stretch = this.transcript.selected() ?? { start: this.player.time, end: this.player.time };
    if (kind === "star") {
      await this.notes.add("star", stretch);
      toast(t("note.starred"));
      return;
    }
    const text = await ask(t(`note.${kind}.title`, { time: clock(stretch.start) }), stretch.text ?? "");
    if (text) {
      await this.notes.add(kind, stretch, text);
      this.tab("notes");
    }
  }

  async correct(word = null) {
    const chosen = word ?? this.transcript.selected() ?? this.words.at(this.player.time);
    const one = chosen?.text !== undefined && chosen.index === undefined ? this.words.known.find(({ index }) => index === chosen.first) : chosen;
    if (!one) return;
    getSelection().removeAllRanges();
    const text = await ask(t("note.correct.title"), "", one.text);
    if (!text || text === one.text) return;
    await this.notes.correct(one, text);
    await this.transcript.again();
  }

  async share() {
    remember({ t: this.player.time.toFixed(1) });
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    toast(t("replay.shared", { time: clock(this.player.time) }));
  }

  keys() {
    const key = (name, text, run, repeats = false) => ({ key: name, text, run, repeats });
    return [
      key(" ", "replay.key.play", () => this.player.toggle()), key("k", "replay.key.play", () => this.player.toggle()),
      key("ArrowLeft", "replay.back", () => this.by(-5), true), key("ArrowRight", "replay.on", () => this.by(5), true),
      key("Shift+ArrowLeft", "replay.key.wordback", () => this.word(-1), true), key("Shift+ArrowRight", "replay.key.word", () => this.word(1), true),
      key("f", "replay.jump.flag", () => this.jump("flag", 1)), key("q", "replay.jump.question", () => this.jump("question", 1)), key("s", "replay.jump.pause", () => this.jump("pause", 1)),
      key("-", "replay.key.slower", () => this.speed(-1)), key("+", "replay.key.faster", () => this.speed(1)),
      key("l", "replay.loop", () => this.loop()), key("n", "note.add", () => this.write("note")), key("b", "note.star.do", () => this.write("star")), key("e", "note.correct", () => this.correct()),
      key("u", "do.undo", () => this.notes.step("undo").then(() => this.transcript.again())), key("/", "replay.search", () => this.field.focus()), key("w", "replay.follow", () => this.transcript.follow(true)),
    ];
  }

  speed(step) {
    const at = RATES.indexOf(this.player.rate);
    this.player.rate = RATES[Math.max(0, Math.min(RATES.length - 1, at + step))];
  }

  close() {
    this.closed = true;
    clearTimeout(this.kept);
    this.release?.();
    this.swapping?.close();
    document.removeEventListener("click", this.shut);
    document.removeEventListener("selectionchange", this.selected);
    removeEventListener("values", this.valued);
    this.resized?.disconnect();
    this.wave.close();
    this.lanes.close();
    this.transcript.close();
    this.player.close();
  }
}

/** Ask for a line of text. Resolves to it, or to "" where nothing was given. */
function ask(title, quote, value = "") {
  return new Promise((done) => {
    const field = h("textarea", { rows: 2, maxlength: 4000, "aria-label": title, autofocus: true }, value);
    const box = h("dialog", { "aria-labelledby": "ask-title", onclose: () => { box.remove(); done(box.returnValue === "save" ? field.value.trim() : ""); } },
      h("h2", { id: "ask-title" }, title), quote && h("blockquote", null, quote),
      h("form", { method: "dialog" }, field, h("div", { class: "actions" }, h("button", { class: "button", value: "no" }, t("do.cancel")), h("button", { class: "button strong", value: "save" }, t("do.save")))));
    field.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); box.close("save"); } });
    document.body.append(box);
    box.showModal();
    field.select();
  });
}
