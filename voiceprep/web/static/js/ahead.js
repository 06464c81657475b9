/** What the larger views import, to be fetched at once: by itself a browser finds it a generation of imports at a time. */

const BEHIND = {
  replay: [
    "format", "recording", "charts/chart", "live/state", "views/progress", "replay/drillpanel", "replay/lanes", "replay/notes", "replay/player", "replay/quiz",
    "replay/reviewpanel", "replay/shifts", "replay/takes", "replay/transcript", "replay/wave", "/vendor/wavesurfer/wavesurfer.esm",
  ],
};

export function fetchAhead(view) {
  for (const name of BEHIND[view] ?? []) {
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: name.startsWith("/") ? `${name}.js` : `/static/js/${name}.js` }));
  }
}
