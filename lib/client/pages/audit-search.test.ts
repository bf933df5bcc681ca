import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuditSearch, auditFilterOf, auditSearchQuery, parseAuditSearch, wholeAudit } from "./audit-search.ts";

test("an address says which part of the log is shown, and is read back", () => {
  const search: AuditSearch = {
    act: "token.created",
    userId: 3,
    since: "2026-01-30",
    until: "2026-01-31",
    page: 2,
  };
  assert.deepEqual(parseAuditSearch(new URLSearchParams(auditSearchQuery(search))), search);
  assert.equal(auditSearchQuery(wholeAudit), "");
  assert.deepEqual(auditFilterOf(search), {
    act: "token.created",
    user_id: 3,
    since: "2026-01-30T00:00:00Z",
    until: "2026-02-01T00:00:00.000Z",
  });
});

test("invalid values in an address count as absent", () => {
  for (const days of ["since=yesterday&until=2026-13-41", "since=0002-11-27&until=1969-12-31"]) {
    assert.deepEqual(parseAuditSearch(new URLSearchParams(`act=x&user_id=-1&${days}&page=0`)), wholeAudit);
  }
});
