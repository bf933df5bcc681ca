import assert from "node:assert/strict";
import { test } from "node:test";
import { merged } from "#components/form/merged.ts";
import { ClientError } from "#lib/client/client-error.ts";
import type { IntegrationStatus } from "#lib/contract/integrations/integration.ts";
import { type McpDraft, mcpBodyOf, mcpDraftsOf, mcpErrorsOf, newMcpDraft } from "./mcp-draft.ts";

const connected = (...servers: [name: string, url: string][]): IntegrationStatus => ({
  integration_type: "mcp",
  active: true,
  token_id: null,
  installation_id: null,
  metadata: {
    ...{ title: "MCP servers", reason: null, connected: true, account: null, account_kind: null },
    servers: servers.map(([name, url]) => ({
      ...{ name, url, header_names: ["Authorization"], repo_ids: null },
      ...{ id: 1, active: true, server: null, tools: null, checked_at: null, reason: null },
    })),
  },
});
const docs: [string, string] = ["docs", "https://docs.example/mcp"];
const wiki: [string, string] = ["wiki", "https://wiki.example/mcp"];
const jira: [string, string] = ["jira", "https://jira.example/mcp"];

const rebased = (drafts: McpDraft[], start: IntegrationStatus, now: IntegrationStatus) =>
  merged(drafts, mcpDraftsOf(start), mcpDraftsOf(now));

test("servers that others added, changed or removed meanwhile stay as they are, beside the edited ones", () => {
  const start = connected(docs, wiki);
  const edited = mcpDraftsOf(start).map((draft) =>
    draft.name === "docs" ? { ...draft, url: "https://new.example" } : draft,
  );
  const sent = (now: IntegrationStatus, drafts = edited) => mcpBodyOf(rebased(drafts, start, now)).servers;
  const changed = { name: "docs", url: "https://new.example" };
  const of = ([name, url]: [string, string]) => ({ name, url });
  assert.deepEqual(sent(start), [changed, of(wiki)]);
  assert.deepEqual(sent(connected(docs, wiki, jira)), [changed, of(wiki), of(jira)]);
  assert.deepEqual(sent(connected(docs, ["wiki", "https://moved.example"])), [
    changed,
    { name: "wiki", url: "https://moved.example" },
  ]);
  assert.deepEqual(sent(connected(docs)), [changed]);
  // Removed by somebody else, but edited here: it is connected again.
  assert.deepEqual(sent(connected(wiki)), [changed, of(wiki)]);
});

test("a server removed here stays removed, and one added here stays beside those that others added", () => {
  const start = connected(docs, wiki);
  const [first] = mcpDraftsOf(start);
  assert.ok(first);
  const removed = rebased([first], start, connected(docs, wiki, jira));
  assert.deepEqual(
    removed.map(({ name }) => name),
    ["docs", "jira"],
  );
  const keys = removed.map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
  const added = { ...newMcpDraft(), name: "mine", url: "https://mine.example" };
  assert.deepEqual(
    rebased([first, added], start, connected(docs, wiki, jira)).map(({ name, url }) => [name, url]),
    [docs, ["mine", "https://mine.example"], jira],
  );
});

test("the messages of a refusal stay with the servers that were sent, also when one of them is removed", () => {
  const sent = [newMcpDraft(), newMcpDraft()];
  const fields = [
    { loc: ["body", "servers", 1, "url"], msg: "Address must begin with https" },
    { loc: ["body", "servers", 1, "headers", "X-Team"], msg: "is empty" },
    { loc: ["body", "servers", 2, "name"], msg: "of nobody" },
    { loc: ["body", "servers"], msg: "too many" },
  ].map((field) => ({ ...field, type: "invalid" }));
  const error = new ClientError("invalid_request", "Refused.", { status: 400, fields });
  const { of, rest } = mcpErrorsOf(error, sent);
  assert.deepEqual([...of], [[sent[1]?.key, { url: "Address must begin with https", headers: "X-Team: is empty" }]]);
  assert.equal(rest, "body.servers.2.name: of nobody; body.servers: too many");
  assert.deepEqual(mcpErrorsOf(null, sent), { of: new Map(), rest: null });
});

test("a server that is added after one was removed has none of the removed one's messages", () => {
  const sent = [newMcpDraft(), newMcpDraft()];
  const fields = [{ loc: ["body", "servers", 1, "url"], msg: "Address must begin with https", type: "invalid" }];
  const { of } = mcpErrorsOf(new ClientError("invalid_request", "Refused.", { status: 400, fields }), sent);
  assert.deepEqual([...of.keys()], [sent[1]?.key]);
  assert.equal(of.get(newMcpDraft().key), undefined);
});
