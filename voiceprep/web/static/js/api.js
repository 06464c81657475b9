/** The REST side of the server, as docs/web-protocol.md has it. */

import { problem } from "./i18n.js";

const token = document.querySelector('meta[name="voiceprep-token"]')?.content ?? "";
export const TOKEN = token;
const HEADER = "X-Voiceprep-Token";

/** What the server answered instead of what was asked for: a plain sentence, and what can be done about it. */
export class ApiError extends Error {
  constructor(status, { code = "", message = "", hint = "" } = {}) {
    super(problem({ code, message }) || `${status}`);
    Object.assign(this, { status, code, hint: this.message === message ? hint : "" }); // a hint is in the server's language
  }
}

async function call(method, path, body, signal) {
  const headers = { [HEADER]: token };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { code: "unreachable" });
  }
  if (!answer.ok) throw new ApiError(answer.status, await problemOf(answer));
  return answer.status === 204 ? null : answer.json();
}

async function problemOf(answer) {
  try {
    const told = await answer.json();
    return told.error ?? told.detail ?? told;
  } catch {
    return {};
  }
}

/** Whether the server is another one than that which gave this page its token. False where it cannot be asked. */
export async function restarted() {
  const answer = await fetch("/", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return false;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector('meta[name="voiceprep-token"]')?.content;
  return Boolean(now) && now !== token;
}

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
};

export const get = (path, values = {}, signal) => call("GET", path + query(values), undefined, signal);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body = {}) => call("PUT", path, body);
export const patch = (path, body = {}) => call("PATCH", path, body);
export const remove = (path) => call("DELETE", path);

/** Send a file as the body, `tell(share)` while it goes: only XMLHttpRequest says how much has gone. */
export function send(path, values, file, tell, signal) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", path + query(values));
    request.setRequestHeader(HEADER, token);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => tell(total ? loaded / total : 0);
    request.onload = () => (request.status < 300 ? done(request.response) : failed(new ApiError(request.status, request.response ?? {})));
    request.onerror = () => failed(new ApiError(0, { code: "unreachable" }));
    request.onabort = () => failed(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
