// Requests to the server that this page came from.

import { parse, stringify } from "./json.js";

const KEY = "genspec.key"; // of the session's storage: gone when the tab is

/** An answer that is an error, or an event that says so. */
export class ServerError extends Error {
  constructor(status, { error, error_type: type }, retryAfter = null) {
    super(error);
    this.name = "ServerError";
    Object.assign(this, { status, type, retryAfter });
  }
}

export function readKey() {
  return sessionStorage.getItem(KEY) ?? "";
}

export function keepKey(key) {
  if (key) sessionStorage.setItem(KEY, key);
  else sessionStorage.removeItem(KEY);
}

/** The events of a stream, as objects. Throws ServerError, TypeError (network) and AbortError. */
export async function* stream(path, body, signal) {
  const response = await post(path, body, signal);
  // Not piped: a pipe that breaks loses what was on its way, the last event with the reason too.
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let unread = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (unread + decoder.decode(value, { stream: true })).split("\n\n");
    unread = frames.pop();
    for (const frame of frames) {
      const event = parse(frame.replace(/^data:/, ""));
      if (event.error !== undefined) throw new ServerError(null, event);
      yield event;
    }
  }
}

/** Whether the server ended the running request of this id. */
export async function stop(path, id) {
  try {
    await post(path, { id });
    return true;
  } catch {
    return false;
  }
}

export async function isReady() {
  try {
    return (await fetch("v2/health/ready")).ok;
  } catch {
    return null; // nobody there
  }
}

async function post(path, body, signal) {
  const key = readKey();
  const response = await fetch(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(key && { Authorization: `Bearer ${key}` }),
    },
    body: stringify(body),
    signal,
  });
  if (response.ok) return response;
  throw new ServerError(
    response.status,
    await errorOf(response),
    response.headers.get("Retry-After"),
  );
}

async function errorOf(response) {
  try {
    return parse(await response.text());
  } catch {
    return { error: response.statusText, error_type: String(response.status) }; // a proxy's
  }
}
