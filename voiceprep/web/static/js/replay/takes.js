/** One question, answered more than once: the answers side by side, each to be heard. */
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { clock, moment } from "../format.js";
import { t } from "../i18n.js";
import { textOf } from "../live/state.js";
import { failed } from "../parts.js";
import { link } from "../router.js";

const MOST = 6;

/** Where the answer to a question lies: from the end of the interviewer's turn that asked it to the next question. */
export function answerOf(session, question) {
  const asked = session.questions.find((each) => each.question === question);
  if (!asked) return null;
  const later = session.questions.find((each) => each.media > asked.media && each.question !== question);
  const end = later ? later.media : session.duration;
  const turn = session.turns.find(({ speaker, start }) => speaker === "candidate" && start >= asked.media && start < end);
  return turn ? { start: turn.start, end: turn.end, until: end, delay: turn.start - asked.media } : null;
}

export class Takes {
  constructor(session, round) {
    Object.assign(this, { session, round });
    this.element = h("div", { class: "takes" });
    const seen = new Map(session.questions.toReversed().map(({ question, text }) => [question, text])); // as it was asked first
    this.questions = [...seen].toReversed().filter(([id]) => answerOf(session, id));
    this.question = this.questions[0]?.[0] ?? null;
    this.rendered = false;
  }

  async render() {
    if (!this.question) {
      fill(this.element, h("p", { class: "empty" }, t("takes.none")));
      return;
    }
    this.rendered = true;
    const list = h("div", { class: "side" }, h("p", { class: "faint" }, t("page.waiting")));
    fill(this.element,
      h("label", { class: "field" }, h("span", null, t("takes.question")),
        h("select", { onchange: ({ target }) => { this.question = target.value; this.render(); } }, this.questions.map(([id, text]) => h("option", { value: id, selected: id === this.question }, text)))),
      h("p", null, h("a", { class: "button small strong", href: link("live", "", { round: this.round, question: this.question, lang: this.session.header.language }) }, t("takes.again"))), list);
    try {
      fill(list, (await this.find()).map((take) => this.take(take)));
    } catch (error) {
      fill(list, failed(error));
    }
  }

  async find() {
    const { sessions } = await get("/api/sessions");
    const others = sessions.filter(({ round, id }) => round === this.round && id !== this.session.id).slice(0, MOST);
    const read = await Promise.all(others.map(({ id }) => get(`/api/sessions/${encodeURIComponent(id)}`).catch(() => null)));
    const all = [this.session, ...read.filter(Boolean)].map((session) => ({ session, answer: answerOf(session, this.question) })).filter(({ answer }) => answer);
    return Promise.all(all.map(async (take) => {
      const { words } = await get(`/api/sessions/${encodeURIComponent(take.session.id)}/transcript`, { from: take.answer.start, to: take.answer.end });
      return { ...take, text: textOf(words), count: words.length };
    }));
  }

  take({ session, answer, text, count }) {
    const mine = session.id === this.session.id;
    return h("article", { class: mine ? "take this" : "take" },
      h("h3", null, mine ? t("takes.this") : moment(session.header.started)),
      h("dl", { class: "figures" }, [["takes.length", clock(answer.end - answer.start)], ["takes.delay", clock(answer.delay)], ["takes.words", count]].map(([key, value]) => [h("dt", null, t(key)), h("dd", null, value)])),
      h("p", { class: "text" }, text || t("replay.unheard")),
      h("a", { class: "button small", href: link("replay", session.id, { t: answer.start.toFixed(1) }) }, t("takes.hear")));
  }
}
