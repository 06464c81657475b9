/** A session that broke off: voiceprep was stopped in the middle of it, or no page came back for too long. */
import { get } from "../api.js";
import { h } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { link } from "../router.js";

/** What is said of it, and what can be done now; null for a session that ended in good order, or is not there. */
export async function brokenOff(id) {
  const session = await get(`/api/sessions/${encodeURIComponent(id)}`).catch(() => null);
  if (session?.ended !== "interrupted") return null;
  const { sessions } = await get("/api/sessions");
  const goesOn = sessions.some((each) => each.id === id && each.goes_on); // not what was gone on with already
  const { header, audio, questions } = session;
  const last = questions.findLast(({ media }) => media !== null);
  const again = header.drill ? { drill: header.drill, take: "resume" } : { round: header.round, lang: header.language, mode: header.mode, resumes: id };
  return [
    h("h1", null, t("live.broken.title")),
    h("p", { class: "lede" }, t("live.broken.text", { time: clock(audio.candidate?.duration ?? 0) })),
    !header.drill && last && h("p", { class: "faint" }, t("live.broken.at"), " ", h("q", { lang: header.language === "zh" ? "zh" : "en" }, last.text)),
    h("p", { class: "rowed" },
      (header.drill || (goesOn && last)) && h("a", { class: "button strong", href: link("live", "", again) }, t(header.drill ? "drill.resume" : "live.broken.on")),
      h("a", { class: "button", href: link("replay", id) }, t("live.broken.review")),
      !header.drill && h("a", { class: "button", href: link("live", "", { round: header.round, lang: header.language }) }, t("live.broken.anew")),
      h("a", { class: "button plain", href: "#/" }, t("do.back"))),
  ];
}
