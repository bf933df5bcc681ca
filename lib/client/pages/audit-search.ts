import type { AuditAct } from "#lib/contract/people/audit.ts";
import { auditActNames } from "#lib/contract/people/audit-acts.ts";
import { parsePageNumber } from "./page-number.ts";

/** Filter and page of the audit log, as in the page's address. `since` and `until` are days, inclusive. */
export type AuditSearch = {
  act: AuditAct | null;
  userId: number | null;
  since: string | null;
  until: string | null;
  /** From 1. */
  page: number;
};

export const wholeAudit: AuditSearch = { act: null, userId: null, since: null, until: null, page: 1 };

/** Parses an address; anything not understood counts as absent. */
export function parseAuditSearch(search: { get(name: string): string | null }): AuditSearch {
  return {
    act: auditActNames.find((act) => act === search.get("act")) ?? null,
    userId: numberOf(search.get("user_id")),
    since: dayOf(search.get("since")),
    until: dayOf(search.get("until")),
    page: parsePageNumber(search.get("page")),
  };
}

/** Query of an address, without a question mark; empty for the whole log. */
export function auditSearchQuery({ act, userId, since, until, page }: AuditSearch): string {
  return new URLSearchParams({
    ...(act !== null && { act }),
    ...(userId !== null && { user_id: String(userId) }),
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
}

/** Query for the API. Days are in UTC, as in the files. */
export function auditFilterOf({ act, userId, since, until }: AuditSearch) {
  return {
    ...(act !== null && { act }),
    ...(userId !== null && { user_id: userId }),
    ...(since !== null && { since: `${since}T00:00:00Z` }),
    ...(until !== null && { until: new Date(Date.parse(until) + 86_400_000).toISOString() }),
  };
}

function numberOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,7}$/.test(text) ? Number(text) : null;
}

/** A day as in the address, or null if the text is none or before 1970, as it is while a year is typed: 0002, 0020, … */
export function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && Date.parse(text) >= 0 ? text : null;
}
