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
  const wrong = new URLSearchParams("act=x&user_id=-1&since=yesterday&until=2026-13-41&page=0");
  assert.deepEqual(parseAuditSearch(wrong), wholeAudit);
});
