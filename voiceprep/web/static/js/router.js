/** Addresses: `#/view/id?name=value`. Everything that can be come back to, or sent to somebody, stands in it. */

export function address() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...rest] = path.split("/");
  return { view, rest: rest.map(decodeURIComponent).join("/"), values: new URLSearchParams(query) };
}

const now = () => {
  const { view, rest } = address();
  return `${view}/${rest}`;
};
let shown = now();

/** Call back when the address means another view; a change of its values alone is the view's own business. */
export function onAddress(callback) {
  addEventListener("hashchange", () => {
    if (now() === shown && !(address().view === "live")) {
      dispatchEvent(new Event("values"));
      return;
    }
    shown = now();
    callback();
  });
}

export function go(view, id = "", values = {}) {
  location.hash = link(view, id, values);
}

export function link(view, id = "", values = {}) {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#/${view}${id ? `/${encodeURIComponent(id)}` : ""}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** Note values in the address without a step in the history. */
export function remember(values) {
  const { view, rest } = address();
  history.replaceState(null, "", link(view, rest, values));
}
