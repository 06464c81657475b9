/** How far the server is with loading recogniser and voice, which it does from its start on: shown as long as that lasts. */
import { get } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../i18n.js";

const EVERY = 700; // ms

/** An element that looks after itself until `close`. Once all is loaded, it shows what was last given to `otherwise`. */
export function readiness() {
  const element = h("div", { class: "readiness", role: "status" });
  let [timer, rest, busy, closed] = [0, "", true, false];

  const say = (text) => fill(element, text && h("p", { class: "faint" }, text));

  function show({ state, what, done, of }) {
    busy = state === "loading";
    if (!busy) {
      say(state === "failed" ? t("ready.failed", { what }) : rest);
      return;
    }
    if (!element.querySelector("progress")) fill(element, h("p", null), h("progress", { max: of, "aria-label": t("ready.title") }));
    element.firstChild.textContent = `${t("ready.title")}: ${t(`ready.step.${done}`)}`;
    element.lastChild.value = done + 0.5;
  }

  async function look() {
    const told = await get("/api/ready").catch(() => null);
    if (closed) return;
    if (told) show(told);
    if (told?.state === "loading") timer = setTimeout(look, EVERY);
  }

  look();
  return {
    element,
    otherwise(text) {
      rest = text;
      if (!busy) say(rest);
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
