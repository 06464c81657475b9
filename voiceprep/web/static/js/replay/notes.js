/** The user's own marks: made, changed, undone, filtered. The server's answer to each change is all that stands then. */
import { get, patch, post } from "../api.js";
import { fill, h, icon } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { ICONS } from "../icons.js";
import { button, toast } from "../parts.js";

const SHOWN = ["note", "star", "label", "correction"];

export class Notes {
  constructor(session, seek) {
    this.session = session;
    this.path = `/api/sessions/${encodeURIComponent(session)}`;
    this.seek = seek;
    this.all = [];
    this.kinds = new Set(SHOWN);
    this.element = h("div", { class: "notes" });
    this.listeners = [];
  }

  onChange(callback) {
    this.listeners.push(callback);
  }

  async load() {
    this.stand(await get(`${this.path}/annotations`));
  }

  stand({ annotations, can_undo: undo, can_redo: redo }) {
    Object.assign(this, { all: annotations, undoable: undo, redoable: redo });
    this.render();
    for (const each of this.listeners) each(this.all);
  }

  async do(run) {
    try {
      this.stand(await run());
    } catch (error) {
      toast(error.message);
    }
  }

  add(kind, { start, end = start }, text = "", name = "") {
    return this.do(() => post(`${this.path}/annotations`, { do: "add", kind, start, end, text, name }));
  }

  edit(id, text) {
    return this.do(() => post(`${this.path}/annotations`, { do: "edit", id, text }));
  }

  remove(id) {
    return this.do(() => post(`${this.path}/annotations`, { do: "remove", id }));
  }

  step(which) {
    return this.do(() => post(`${this.path}/annotations/${which}`));
  }

  correct(word, text) {
    return this.do(() => patch(`${this.path}/words`, { start: word.start, was: word.text, text }));
  }

  render() {
    const shown = this.all.filter(({ kind }) => SHOWN.includes(kind));
    fill(this.element,
      h("div", { class: "rowed tools-row" },
        SHOWN.filter((kind) => kind === "note" || shown.some((each) => each.kind === kind)).map((kind) => h("label", { class: "tick" }, h("input", { type: "checkbox", checked: this.kinds.has(kind), onchange: ({ target }) => { this.kinds[target.checked ? "add" : "delete"](kind); this.render(); } }), t(`note.${kind}`))),
        h("span", { class: "spring" }),
        button(t("do.undo"), () => this.step("undo"), { kind: "small", disabled: !this.undoable }),
        button(t("do.redo"), () => this.step("redo"), { kind: "small", disabled: !this.redoable })),
      shown.length ? h("ol", { class: "items" }, shown.filter(({ kind }) => this.kinds.has(kind)).map((each) => this.item(each)))
        : h("p", { class: "empty" }, t("note.none")));
  }

  item(each) {
    const { id, kind, text, anchor } = each;
    const body = h("p", { class: "text" }, kind === "star" && !text ? t("note.star") : kind === "correction" ? t("note.corrected", { was: anchor.quote, text }) : text);
    const element = h("li", { data: { note: id } },
      h("button", { type: "button", class: "at figures", onclick: () => this.seek(anchor.start) }, clock(anchor.start)),
      h("div", null, body, anchor.quote && kind !== "correction" && h("p", { class: "quote" }, anchor.quote)),
      h("div", { class: "do" },
        kind !== "correction" && h("button", { type: "button", class: "tool", "aria-label": t("note.edit"), title: t("note.edit"), onclick: () => this.write(element, each) }, icon(ICONS.note)),
        h("button", { type: "button", class: "tool", "aria-label": t("note.remove"), title: t("note.remove"), onclick: () => this.remove(id) }, icon(ICONS.end))));
    return element;
  }

  write(element, { id, text }) {
    const field = h("textarea", { rows: 2, maxlength: 4000, "aria-label": t("live.note.text") }, text);
    const save = () => this.edit(id, field.value.trim());
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        save();
      } else if (event.key === "Escape") this.render();
    });
    fill(element.children[1], field, h("div", { class: "rowed" }, button(t("do.save"), save, { kind: "small strong" }), button(t("do.cancel"), () => this.render(), { kind: "small" })));
    field.focus();
  }
}
