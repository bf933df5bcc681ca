import { hash } from "node:crypto";
import type { HostCheck } from "./pull-host.ts";

/**
 * The checks with an etag computed from them, or null if the given etag still matches: for hosts whose lists have no etag, or
 * that count a conditional request like any other.
 */
export function unlessUnchanged(
  checks: HostCheck[],
  etag: string | null,
): { checks: HostCheck[] | null; etag: string | null } {
  const now = hash("sha256", JSON.stringify(checks), "hex");
  return { checks: now === etag ? null : checks, etag: now };
}

/** A time as hosts write it; null if there is none. */
export function dateOf(text: string | null | undefined): Date | null {
  const ms = Date.parse(text ?? "");
  // Go's zero time means no time.
  return Number.isNaN(ms) || ms < 0 ? null : new Date(ms);
}
