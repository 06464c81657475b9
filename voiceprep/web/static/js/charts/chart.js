/** Small figures that can be read at a glance, each with the same numbers as a table for who cannot see them. */
import { h, svg } from "../dom.js";
import { day } from "../format.js";
import { t } from "../i18n.js";

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [340, 120, 34, 10, 10, 18];

/**
 * A line over sessions. `points`: [{at, value, text?}], oldest first; `value` null: a gap. `low`..`high`: the axis.
 * `ticks`: [[value, name]]. `good`: [from, to], a band that is where one wants to be. `none`: said where no value is known.
 */
export function lineChart({ title, points, low, high, ticks, good = null, none = "–", format = String }) {
  const x = (n) => (points.length === 1 ? (LEFT + WIDE - RIGHT) / 2 : LEFT + (n / (points.length - 1)) * (WIDE - LEFT - RIGHT));
  const y = (value) => TOP + (1 - (Math.min(high, Math.max(low, value)) - low) / (high - low || 1)) * (HIGH - TOP - BOTTOM);
  const known = points.map((point, n) => ({ ...point, n })).filter(({ value }) => value !== null);
  const path = known.map(({ value, n }, k) => `${k ? "L" : "M"}${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const last = known.at(-1);
  const drawing = () => svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-hidden": "true" },
    good && svg("rect", { class: "band", x: LEFT, width: WIDE - LEFT - RIGHT, y: y(good[1]), height: Math.max(0, y(good[0]) - y(good[1])) }),
    ticks.map(([value, name]) => [svg("line", { class: "axis", x1: LEFT, x2: WIDE - RIGHT, y1: y(value), y2: y(value) }), svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, name)]),
    svg("path", { class: "line", d: path }),
    known.map((point) => svg("circle", { class: point === last ? "dot last" : "dot", cx: x(point.n), cy: y(point.value), r: 3.5 })),
    points.length > 1 && [[0, "start"], [points.length - 1, "end"]].map(([n, anchor]) => svg("text", { x: x(n), y: HIGH - 2, "text-anchor": anchor }, day(points[n].at))));
  return figure(title, last ? format(last.value) : "", last ? drawing() : h("p", { class: "faint" }, none),
    [t("chart.when"), t("chart.value")], points.map(({ at, value, text }) => [day(at), text ?? (value === null ? t("level.none") : format(value))]));
}

const WIDE_SIGN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** As much of a name as stands over a bar: 25 Chinese characters, or about twice as many letters. */
function short(name) {
  const width = (signs) => signs.reduce((sum, sign) => sum + (WIDE_SIGN.test(sign) ? 1 : 0.53), 0);
  const kept = [...name];
  if (width(kept) <= 25) return name;
  while (width(kept) > 24) kept.pop();
  return `${kept.join("")}…`;
}

/** Bars for parts of a whole: [{name, value, other?}]. */
export function barChart({ title, now, rows, format }) {
  const most = Math.max(...rows.map(({ value }) => value), 1e-9);
  const step = 38; // each name stands over its bar, where a long one has room
  const room = WIDE - 44;
  return figure(title, now, svg("svg", { viewBox: `0 0 ${WIDE} ${rows.length * step + 4}`, "aria-hidden": "true" },
    rows.map(({ name, value, other }, n) => [
      svg("text", { class: "strong", y: n * step + 14 }, short(name)),
      svg("rect", { class: other ? "bar-fill other" : "bar-fill", y: n * step + 20, width: Math.max(1, (value / most) * room), height: 11 }),
      svg("text", { x: (value / most) * room + 6, y: n * step + 30 }, format(value))])),
  [t("chart.what"), t("chart.value")], rows.map(({ name, value }) => [name, format(value)]));
}

function figure(title, now, drawing, heads, rows) {
  return h("figure", { class: "chart" }, h("figcaption", null, h("span", null, title), h("span", { class: "now figures" }, now)), drawing,
    h("details", { class: "table" }, h("summary", null, t("chart.table")), h("table", null,
      h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", null, rows.map((row) => h("tr", null, row.map((cell) => h("td", { class: "figures" }, cell))))))));
}
