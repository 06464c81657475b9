"use strict";
// Everything is on this page: the sound in the audio element, the place of each word on the word itself.
(() => {
  const sound = document.getElementById("sound");
  if (!sound) return;
  // The sound may begin with the opening question, `lead` seconds before the recording whose times the page shows.
  const lead = Number(sound.dataset.lead);
  const duration = Number(sound.dataset.duration);
  const words = [...document.querySelectorAll(".text [data-from]")]
    .map((element) => ({ element, from: Number(element.dataset.from), to: Number(element.dataset.to) }))
    .sort((a, b) => a.from - b.from);
  const turns = [...document.querySelectorAll(".said")];
  const flags = [...document.querySelectorAll("#flags .place")].map((flag) => Number(flag.dataset.at)).sort((a, b) => a - b);
  const map = document.querySelector("#map svg");
  const needle = document.getElementById("now");
  let lit = null;

  const at = () => sound.currentTime - lead;

  function go(media, play = true) {
    // What sounded before the recording stands at its first moment: there the sound is heard from its beginning.
    const opening = media <= 0;
    sound.currentTime = opening ? 0 : media + lead;
    if (play) sound.play();
  }

  function latest(media) {
    let low = 0, high = words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle].from <= media) low = middle + 1; else high = middle;
    }
    return words[low - 1];
  }

  function show() {
    const media = at();
    const word = latest(Math.max(0, media));
    const element = word && media < word.to + 0.4 ? word.element : null;
    if (element !== lit) {
      lit?.classList.remove("now");
      element?.classList.add("now");
      lit = element;
    }
    if (needle && duration > 0) {
      const x = String((1000 * Math.min(Math.max(media, 0), duration)) / duration);
      needle.setAttribute("x1", x);
      needle.setAttribute("x2", x);
    }
    if (!sound.paused) requestAnimationFrame(show);
  }
  for (const event of ["play", "seeked", "pause", "timeupdate"]) sound.addEventListener(event, show);

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-from], button.place");
    if (target) go(Number(target.dataset.from ?? target.dataset.at));
  });
  map?.addEventListener("click", (event) => {
    const box = map.getBoundingClientRect();
    go((duration * (event.clientX - box.left)) / box.width);
  });
  document.getElementById("speed").addEventListener("change", (event) => { sound.playbackRate = Number(event.target.value); });

  function turn(step) {
    const media = at();
    const places = turns.map((each) => Number(each.dataset.at));
    const next = step > 0 ? places.findIndex((place) => place > media + 0.05) : places.findLastIndex((place) => place < media - 1);
    if (next < 0) return;
    go(places[next], !sound.paused);
    turns[next].scrollIntoView({ block: "center" });
  }

  const keys = {
    " ": () => (sound.paused ? sound.play() : sound.pause()),
    ArrowLeft: () => { sound.currentTime = Math.max(0, sound.currentTime - 3); },
    ArrowRight: () => { sound.currentTime += 3; },
    ArrowUp: () => turn(-1),
    ArrowDown: () => turn(1),
    f: () => { const next = flags.find((flag) => flag > at() + 0.05); if (next !== undefined) go(next); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, audio")) return;
    if (event.key === " " && event.target.closest("button")) return;
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
})();
