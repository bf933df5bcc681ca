import { randomUUID } from "node:crypto";

const form = /^[A-Za-z0-9_.-]{1,64}$/;

/** The id that a request's answer and log lines carry: the client's own X-Request-Id where it is sane, else a new one. */
export function requestIdOf(given: string | null): string {
  return given !== null && form.test(given) ? given : randomUUID();
}
