/** Times and numbers as people read them. */
import { language } from "./i18n.js";

/** Seconds as 1:23, 1:02:03 or -0:05. */
export function clock(seconds) {
  const whole = Math.floor(Math.abs(seconds) + 1e-6);
  const sign = seconds <= -1 ? "−" : "";
  const hours = Math.floor(whole / 3600);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor((whole % 3600) / 60);
  return `${sign}${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** The same with tenths, for a place in a recording. */
export function place(seconds) {
  return `${clock(seconds)}.${Math.floor(((seconds % 1) + 1e-6) * 10)}`;
}

/** Seconds as something to say: "1 min 23 s", for screen readers. */
export function spoken(seconds) {
  return new Intl.NumberFormat(locale(), { style: "unit", unit: "second", unitDisplay: "long", maximumFractionDigits: 0 }).format(seconds);
}

export const locale = () => (language() === "zh" ? "zh-CN" : "en-GB");

export function day(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", year: date.getFullYear() === new Date().getFullYear() ? undefined : "numeric" }).format(date);
}

export function moment(iso) {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }).format(date);
}

export function number(value, digits = 0) {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits, minimumFractionDigits: 0 }).format(value);
}

export function range([least, most]) {
  return least === most ? String(least) : `${least}–${most}`;
}
