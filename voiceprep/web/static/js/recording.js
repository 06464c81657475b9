/** A recording that is sent in: chosen or dropped, sent, analysed with its progress shown; at its end its replay. */
import { get, post, remove, send } from "./api.js";
import { fill, h } from "./dom.js";
import { language, problem, side, t } from "./i18n.js";
import { announce, button, failed, toast } from "./parts.js";
import { go } from "./router.js";

const EVERY = 500; // ms
const ACCEPTED = "audio/*,video/mp4,video/webm,.m4a,.opus,.mka,.mkv,.caf,.amr";

/** What runs, and its end: `ended(standing)` is called once, and not for one that ended before this was made. */
export class Progress {
  constructor(ended) {
    this.ended = ended;
    this.element = h("div", { class: "sent" });
    this.seen = false;
  }

  /** A bar of what is done; `share` 0 to 1. */
  show(text, share, cancel) {
    if (!this.bar?.isConnected) {
      this.text = h("p", { role: "status" });
      this.bar = h("progress", { max: 1, "aria-label": t("recording.progress") });
      this.figure = h("span", { class: "figures faint" });
      this.stop = button(t("do.cancel"), () => this.cancel(), { kind: "small" });
      fill(this.element, h("div", { class: "sending" }, this.text, this.figure, this.bar, this.stop));
    }
    if (this.text.textContent !== text) this.text.textContent = text;
    this.bar.value = share;
    this.figure.textContent = `${Math.round(share * 100)} %`;
    this.cancel = cancel;
    this.stop.disabled = !cancel;
  }

  /** Look until it is over. */
  async follow() {
    const told = await get("/api/recordings").catch(() => null);
    if (this.closed) return;
    const running = told && ["receiving", "analysing", "cancelling"].includes(told.state);
    if (running) {
      this.seen = true;
      const cancel = async () => { await remove("/api/recordings").catch((error) => toast(error.message)); this.stop.disabled = true; };
      this.show(told.state === "analysing" ? stepOf(told) : t(`recording.${told.state}`), told.share, told.state !== "cancelling" && cancel);
    }
    if (running || (!told && this.seen)) {
      this.timer = setTimeout(() => this.follow(), EVERY);
      return;
    }
    if (this.seen && told) {
      this.seen = false;
      fill(this.element);
      if (told.state === "failed") fill(this.element, trouble(told));
      if (told.state === "cancelled") announce(t("recording.cancelled"));
      this.ended(told);
    }
  }

  /** What was begun just now is followed to its end, however quick it was. */
  begun() {
    this.seen = true;
    return this.follow();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.sending?.abort();
  }
}

const STEPS = { "looking for speakers": "speakers", "listening to the interviewer": "interviewer", "listening to the candidate": "candidate", listening: "listening" };
const stepOf = ({ what }) => t(`recording.step.${STEPS[what] ?? "ready"}`);
const trouble = ({ code, message, hint }) => failed({ status: 400, message: problem({ code, message }), hint: problem({ code, message }) === message ? hint : "" });

/** The door: a form to choose with, open while it is wanted, and the progress in its place once something is sent. */
export class Recordings {
  constructor(rounds) {
    this.rounds = rounds;
    this.progress = new Progress((told) => this.over(told));
    this.file = h("input", { type: "file", class: "unseen", accept: ACCEPTED, required: true, onchange: () => this.chosen() });
    this.name = h("span", { class: "name" }, t("recording.nofile"));
    this.form = this.build();
    this.form.hidden = true;
    this.open = button(t("recording.open"), () => this.toggle(), { "aria-expanded": "false" });
    this.element = h("div", { class: "recordings" }, this.form, this.progress.element);
    this.progress.follow();
  }

  build() {
    const field = (key, control) => h("label", { class: "field" }, h("span", null, t(key)), control);
    const options = (list) => list.map(([value, text]) => h("option", { value }, text));
    this.question = h("select", { disabled: true }, h("option", { value: "" }, t("recording.noquestion")));
    this.round = h("select", { onchange: () => this.questions() }, h("option", { value: "" }, t("recording.noround")), options(this.rounds.map(({ id, title }) => [id, side(title)])));
    this.lang = h("select", null, options([["en", "English"], ["zh", "中文"], ["mixed", t("recording.mixed")]]));
    this.lang.value = language();
    this.speakers = h("select", null, options([["auto", t("recording.auto")], ["1", t("recording.one")], ["2", t("recording.two")]]));
    this.trouble = h("div");
    const form = h("form", { class: "send", onsubmit: (event) => { event.preventDefault(); this.send(); } },
      h("label", { class: "drop field" }, h("span", null, t("recording.file")), this.file, h("span", { class: "rowed" }, h("span", { class: "button small" }, t("recording.choose")), this.name), h("span", { class: "faint" }, t("recording.drop"))),
      h("div", { class: "choices" }, field("recording.language", this.lang), field("recording.speakers", this.speakers), field("sessions.round", this.round), field("takes.question", this.question)),
      this.trouble,
      h("div", { class: "rowed" }, h("button", { class: "button strong", type: "submit" }, t("recording.send")), h("p", { class: "faint" }, t("recording.stays"))));
    for (const name of ["dragover", "dragleave", "drop"]) form.addEventListener(name, (event) => this.dragged(event));
    return form;
  }

  toggle(open = this.form.hidden) {
    this.form.hidden = !open;
    this.open.setAttribute("aria-expanded", String(open));
    if (open) this.file.focus();
  }

  dragged(event) {
    event.preventDefault();
    this.form.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop" && event.dataTransfer.files.length) {
      this.file.files = event.dataTransfer.files;
      this.chosen();
    }
  }

  async chosen() {
    fill(this.trouble);
    const file = this.file.files[0];
    fill(this.name, file?.name ?? t("recording.nofile"));
    const { limits } = await get("/api/recordings").catch(() => ({}));
    if (file && limits && file.size > limits.bytes) fill(this.trouble, h("p", { class: "trouble", role: "alert" }, t("recording.toolarge", { size: Math.floor(limits.bytes / 2 ** 30) })));
  }

  async questions() {
    const id = this.round.value;
    const found = id ? await get(`/api/rounds/${encodeURIComponent(id)}`).catch(() => null) : null;
    if (this.round.value !== id) return;
    this.question.disabled = !found;
    fill(this.question, h("option", { value: "" }, t("recording.noquestion")), (found?.sections ?? []).flatMap(({ questions }) => questions).map((each) => h("option", { value: each.id }, side(each.text))));
  }

  async send() {
    const file = this.file.files[0];
    if (!file || this.progress.sending) return;
    fill(this.trouble);
    this.progress.sending = new AbortController();
    this.toggle(false);
    const cancel = () => this.progress.sending.abort();
    const tell = (share) => this.progress.show(t("recording.sending", { name: file.name }), share, cancel);
    tell(0);
    try {
      await send("/api/recordings", { lang: this.lang.value, speakers: this.speakers.value, round: this.round.value, question: this.question.value }, file, tell, this.progress.sending.signal);
      this.progress.sending = null;
      await this.progress.begun();
    } catch (error) {
      this.progress.sending = null;
      fill(this.progress.element);
      if (this.progress.closed) return;
      this.toggle(true);
      if (error.name !== "AbortError") fill(this.trouble, failed(error));
    }
  }

  over(told) {
    if (told.state === "done") go("replay", told.session);
    else this.toggle(true);
  }

  close() {
    this.progress.close();
  }
}

/** Who is who in a recording of two people, the other way round: the new session takes the place of this one, until undone. */
export async function swap(session, progress) {
  await post(`/api/sessions/${encodeURIComponent(session)}/swap`);
  await progress.begun();
}

/** What is said when that is done, with its way back. */
export function swapped(told) {
  go("replay", told.session);
  toast(t("swap.done"), { text: t("do.undo"), run: async () => {
    await post(`/api/trash/${encodeURIComponent(told.of)}/restore`);
    await remove(`/api/sessions/${encodeURIComponent(told.session)}`);
    go("replay", told.of);
  } });
}
