import { randomUUID } from "node:crypto";

const form = /^[A-Za-z0-9_.-]{1,64}$/;

/** Id in a request's response and log lines: the client's own X-Request-Id if it is well-formed, otherwise a new one. */
export function requestIdOf(given: string | null): string {
  return given !== null && form.test(given) ? given : randomUUID();
}
