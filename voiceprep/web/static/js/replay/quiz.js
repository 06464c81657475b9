/** What did the interviewer mean? Each micro-signal, to be guessed first; the log knows. */
import { fill, h } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../i18n.js";
import { button } from "../parts.js";

export class Quiz {
  /** @param {object[]} items of the review's quiz @param {object} names of its labels @param {Notes} notes keeps the readings */
  constructor(items, names, notes, seek) {
    Object.assign(this, { items, names, notes, seek });
    this.element = h("div", { class: "quiz" });
    notes.onChange((all) => {
      const readings = new Map(all.filter(({ kind }) => kind === "reading").map(({ name, text }) => [name, text]));
      for (const item of this.items) item.reading = readings.get(item.id) ?? item.reading ?? null;
      this.render();
    });
    this.render();
  }

  render() {
    const read = this.items.filter(({ reading }) => reading);
    const right = read.filter(({ reading, meant }) => reading === meant).length;
    fill(this.element,
      h("p", { class: "quiet" }, t("quiz.about")),
      h("p", { class: "score figures", role: "status" }, read.length ? t("quiz.score", { right, read: read.length, all: this.items.length }) : ""),
      h("ol", { class: "items" }, this.items.map((item) => this.item(item))));
  }

  item(item) {
    const { id, at, signal, said, reading, meant, reason } = item;
    const answer = (value) => button(t(`quiz.${value}`), () => this.read(item, value), { kind: "small" });
    return h("li", { data: { quiz: id } },
      h("button", { type: "button", class: "at figures", onclick: () => this.seek(Math.max(0, at - 6)) }, clock(at)),
      h("div", null, h("p", { class: "text" }, t(`signal.${signal}`)), said && h("p", { class: "quote" }, said.quote),
        reading ? h("p", { class: reading === meant ? "right" : "wrong" }, t(reading === meant ? "quiz.right" : "quiz.wrong", { meant: t(`quiz.${meant}`) }), reason && h("span", { class: "faint" }, ` ${this.because(reason)}`))
          : h("div", { class: "rowed", role: "group", "aria-label": t("quiz.question") }, answer("on-track"), answer("off-track"))));
  }

  /** The log says it by ids: "heard metric, own_decision". */
  because(reason) {
    const [, ids] = /^heard (.+)$/.exec(reason) ?? [];
    return ids ? t("quiz.heard", { names: ids.split(", ").map((id) => this.names?.[id] ?? id).join("; ") }) : reason;
  }

  async read(item, value) {
    item.reading = value;
    this.render();
    await this.notes.add("reading", { start: item.at }, value, item.id);
  }
}
