/** The review to read first: what happened, what mattered, what to drill next; then all that it rests on. */
import { h } from "../dom.js";
import { clock, number } from "../format.js";
import { t } from "../i18n.js";
import { level, named } from "../parts.js";
import { link } from "../router.js";

/** @param {object} review as review.json has it @param {(time: number) => void} seek */
export function reviewPanel(review, seek) {
  const name = (id) => review.names?.[id] ?? named("signal", id);
  const quote = (evidence) => evidence && h("button", { type: "button", class: "quote link", onclick: () => seek(evidence.start) }, `“${evidence.quote}”`, h("span", { class: "figures faint" }, ` ${clock(evidence.start)}`));
  const part = (title, ...content) => (content.flat(Infinity).some(told) ? h("section", { class: "block" }, h("h3", { class: "label" }, title), content) : null);
  return h("div", { class: "review" },
    part(t("review.story"), review.story?.map((sentence) => h("p", null, sentence))),
    review.debrief && part(t("review.debrief"), h("p", { class: "verdict" }, h("b", null, review.debrief.mark_name), " ", review.debrief.sentence), (review.debrief.doubts ?? []).map((doubt) => h("p", { class: "faint" }, doubt))),
    part(t("review.moments"), h("ol", { class: "moments" }, (review.moments ?? []).map((moment) => h("li", { class: moment.kind }, h("button", { type: "button", class: "at figures", onclick: () => seek(moment.start) }, clock(moment.start)), h("div", null, h("p", null, moment.text), (moment.quotes ?? []).map(quote)))))),
    part(t("review.advice"), h("ol", { class: "advice" }, (review.advice ?? []).map((advice) => h("li", null, h("p", null, advice.text), h("p", { class: "rowed" }, (advice.drills ?? []).map((drill) => h("a", { class: "button small", href: link("live", "", { drill }) }, t("review.drill", { drill: name(drill) }))))))) ),
    scores(review.scores, name, quote, part),
    part(t("review.measures"), measures(review)),
    part(t("review.threads"), h("ol", { class: "items" }, (review.threads ?? []).filter(({ asked }) => asked).map((thread) => h("li", { class: "thread" }, h("div", null, h("p", null, thread.text), h("p", { class: "depth figures", "aria-label": t("review.survived", { survived: thread.survived, asked: thread.asked }) }, thread.steps.filter(({ answered }) => answered !== null).map(({ answered }) => h("i", { class: answered ? "held" : "fell" })), ` ${t("review.survived", { survived: thread.survived, asked: thread.asked })}`)))))),
    part(t("review.pushbacks"), h("ol", { class: "items" }, (review.pushbacks ?? []).map((push) => h("li", null, h("button", { type: "button", class: "at figures", onclick: () => seek(push.at) }, clock(push.at)), h("div", null, h("p", null, push.asked), quote(push.reply), push.shift !== null && h("p", { class: "faint figures" }, t("review.shift", { shift: `${push.shift > 0 ? "+" : ""}${Math.round(push.shift * 100)} %` }))))))),
    part(t("review.differences"), h("ol", { class: "items" }, (review.differences ?? []).map((each) => h("li", null, h("div", null, h("p", { class: "faint" }, each.why), quote(each.first), quote(each.second)))))));
}

/** Whether a part has something to say: a list without items has not. */
const told = (each) => (each instanceof Element && each.matches("ol, ul, dl") ? each.childElementCount > 0 : Boolean(each));

function scores(found, name, quote, part) {
  if (!found) return null;
  const title = (id) => found.dimensions?.find((each) => each.id === id)?.title ?? name(id);
  return part(t("review.scores"),
    found.overall && (found.overall.level || found.dimensions?.length) && h("p", { class: "overall" }, level(found.overall.level), " ", found.overall.gate?.length ? t("review.gate", { gate: found.overall.gate.map(title).join(", ") }) : ""),
    h("dl", { class: "dimensions" }, (found.dimensions ?? []).map((each) => [
      h("dt", null, h("span", null, each.title ?? name(each.id)), level(each.level)),
      h("dd", null, each.why && h("p", null, each.why), (each.evidence ?? []).slice(0, 3).map(quote))])),
    found.missing?.length ? h("p", { class: "faint" }, t("review.missing", { names: found.missing.map(name).join(", ") })) : null);
}

function measures(review) {
  const { measures: m, facts } = review;
  if (!m) return null;
  const rate = m.rates;
  const rows = [
    ["measure.duration", clock(facts.duration)], ["measure.spoken", clock(facts.spoken)],
    ["measure.share", m.talk_share === null ? null : `${Math.round(m.talk_share * 100)} %`],
    ["measure.rate", rate?.narration ? `${number(rate.narration)} ${rate.unit ? named("unit", rate.unit) : ""}` : null],
    ["measure.fillers", m.fillers_per_minute === null ? null : t("measure.perminute", { count: number(m.fillers_per_minute, 1) })],
    ["measure.answer", m.longest_answer ? clock(m.longest_answer.end - m.longest_answer.start) : null],
    ["measure.pause", m.longest_pause ? clock(m.longest_pause.end - m.longest_pause.start) : null],
  ];
  return h("dl", { class: "measures figures" }, rows.filter(([, value]) => value).map(([key, value]) => h("div", null, h("dt", null, t(key)), h("dd", null, value))));
}
