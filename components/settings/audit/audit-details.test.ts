import assert from "node:assert/strict";
import { test } from "node:test";
import { auditDetails } from "./audit-details.ts";

const nameOf = (userId: number) => (userId === 2 ? "Mary" : `Person ${userId}`);
const told = (details: Record<string, unknown>) => auditDetails(details, nameOf).join(" · ");

test("details are put into words, without field names", () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ how: "oidc", reason: "No group." }, "with single sign-on · No group."],
    [
      { type: "github", fields: "base_url, token, settings", address: "https://git.example.com" },
      "changed: address, access token, settings · https://git.example.com",
    ],
    [{ type: "github", active: false }, "does not work"],
    [{ from: "member", to: "admin", by: "groups" }, "from member to admin · by groups from the sign-in provider"],
    [{ role: "viewer", expires_at: "2026-12-02T10:00:00.000Z" }, "as viewer · until 2026-12-02"],
    [
      { role: "admin", scopes: ["runs:read", "runs:write"], expires_at: null },
      "as admin · scopes: runs:read, runs:write · never expires",
    ],
    [{ linked: "ada", user_id: 2 }, "linked ada to Mary"],
    [{ user_id: 9 }, "of Person 9"],
    [{ fields: ["full_name", "email"] }, "changed: name, email address"],
    [
      { agent_run_id: 4, from_seq: 1, to_seq: null, outputs: true, expires_at: null },
      "the whole run · with tool output · never expires",
    ],
    [{ from_seq: 3, to_seq: 9, outputs: false }, "steps 3 to 9 · without tool output"],
    [
      { enabled: true, events: ["run.finished"], secret_changed: true },
      "turned on · events: run.finished · with a new secret",
    ],
    [
      { enable_rules_detection: false, default_agent: null, rules_characters: 1200 },
      "rule files of repositories off · default agent: none · rules of 1,200 characters",
    ],
    [{ default_turn_timeout_s: 420 }, "time limit of a turn: 7m 00s"],
    [{ ended: 1 }, "1 session"],
  ];
  for (const [details, words] of cases) assert.equal(told(details), words);
});

test("details recorded by a later version are shown too", () => {
  assert.equal(told({ new_thing: true, other: { a: 1 }, nothing: null }), 'new thing: yes · other: {"a":1}');
});
