import { hash } from "node:crypto";
import type { HostCheck } from "./pull-host.ts";

/**
 * The checks with an etag made of them, or null where the etag is still theirs: for hosts whose lists have no etag of their own, or
 * count a question about it like any other.
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
  // Go's zero time stands for no time.
  return Number.isNaN(ms) || ms < 0 ? null : new Date(ms);
}
