/** The page begins here: words, masthead, and which view an address stands for. */
import { fetchAhead } from "./ahead.js";
import { ApiError } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { LANGUAGES, language, preferred, speak, t } from "./i18n.js";
import { ICONS } from "./icons.js";
import { readiness } from "./live/readiness.js";
import { begin } from "./replay/early.js";
import { failed, fermata, waiting } from "./parts.js";
import { address, onAddress } from "./router.js";
import { install, showShortcuts } from "./shortcuts.js";
import { nextTheme, theme } from "./theme.js";

/** Views are loaded when they are first wanted: the live view does not wait for the charts. */
const VIEWS = {
  "": () => import("./views/start.js"),
  round: () => import("./views/round.js"),
  loops: () => import("./views/loops.js"),
  check: () => import("./views/soundcheck.js"),
  live: () => import("./views/live.js"),
  replay: () => import("./views/replay.js"),
  drills: () => import("./views/drills.js"),
  sessions: () => import("./views/sessions.js"),
  progress: () => import("./views/progress.js"),
  settings: () => import("./views/settings.js"),
  doctor: () => import("./views/doctor.js"),
};
const nowhere = () => { throw new ApiError(404, { code: "no-such-thing", message: t("problem.no-such-thing") }); };
const ROOMS = [["", "nav.practise", "practise"], ["drills", "nav.drills", "drills"], ["sessions", "nav.sessions", "sessions"],
  ["progress", "nav.progress", "progress"], ["settings", "nav.settings", "settings"]];

const NAMES = { en: "English", zh: "中文" };

function masthead() {
  const here = address().view;
  const room = ["check", "round", "loops"].includes(here) ? "" : here === "replay" ? "sessions" : here === "doctor" ? "settings" : here;
  document.getElementById("skip").textContent = t("nav.skip");
  const other = LANGUAGES.find((each) => each !== language());
  fill(document.getElementById("masthead"),
    h("a", { class: "wordmark", href: "#/" }, fermata(), "voiceprep"),
    h("nav", { "aria-label": t("nav.rooms") }, ROOMS.map(([view, key, drawing]) =>
      h("a", { href: `#/${view}`, "aria-current": view === room ? "page" : null }, icon(ICONS[drawing]), t(key)))),
    loading.element,
    h("div", { class: "tools" },
      h("button", { class: "tool", type: "button", lang: other, "aria-label": t("nav.language", { name: NAMES[other] }), onclick: () => change(other) }, NAMES[other]),
      h("button", { class: "tool", type: "button", "aria-label": t(`nav.theme.${theme()}`), title: t(`nav.theme.${theme()}`), onclick: () => { nextTheme(); masthead(); } }, icon(ICONS.sun)),
      h("button", { class: "tool", type: "button", "aria-label": t("shortcuts.title"), title: t("shortcuts.title"), onclick: showShortcuts }, icon(ICONS.help))));
}

async function change(to) {
  await speak(to);
  await show();
}

let leave = null;
let turn = 0;

async function show() {
  turn += 1;
  const mine = turn;
  leave?.();
  leave = null;
  document.body.classList.remove("in-session");
  masthead();
  const main = document.getElementById("main");
  const { view, rest, values } = address();
  const load = VIEWS[view] ?? nowhere;
  main.className = `view-${view || "start"}`;
  const soon = setTimeout(() => mine === turn && fill(main, waiting()), 150); // a view that is quick never flickers
  try {
    const module = await load();
    const made = await module.view({ id: rest, values });
    if (mine !== turn) {
      made.leave?.();
      return;
    }
    fill(main, made.element);
    document.title = made.title ? `${made.title} · voiceprep` : "voiceprep";
    leave = made.leave ?? null;
    made.shown?.();
  } catch (error) {
    if (mine === turn) fill(main, failed(error, show));
  } finally {
    clearTimeout(soon);
  }
  if (mine === turn && document.activeElement === document.body) main.focus({ preventScroll: true });
}

const spoken = speak(preferred());
if (address().view === "replay") begin(address().rest, address().values); // first: a browser has six connections
VIEWS[address().view]?.().catch(() => {}); // on its way while the words come; what is wrong with it is told where it is shown
fetchAhead(address().view);
await spoken;
const loading = readiness(); // nobody waits for it yet: a word in the masthead, as long as it lasts
install();
onAddress(async () => {
  await show();
  window.scrollTo(0, 0);
});
await show();
