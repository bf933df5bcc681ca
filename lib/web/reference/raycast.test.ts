// The Raycast extension: fetch with a content type on every request, page and size, beta paths, its own list of runs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { referenceStatus } from "#lib/contract/runs/run-status.ts";
import { AnyObject, Organization, PageOf, Person, ShownRun } from "./client-fields.fixture.ts";
import { type Client, needs, O, ReferenceService, refused } from "./reference-service.fixture.ts";

let service: ReferenceService;
let raycast: Client;
const sent = { "content-type": "application/json" };
const beta = "/v1/beta/organizations/1/agent/run";

before(async () => {
  service = await ReferenceService.open();
  raycast = await service.signedIn(sent);
});
after(() => service.close());

/** The words that it knows; for any other one it shows a question mark and stops polling. */
const known = [
  "ACTIVE",
  "ERROR",
  "EVALUATION",
  "COMPLETE",
  "CANCELLED",
  "TIMEOUT",
  "MAX_ITERATIONS_REACHED",
  "OUT_OF_TOKENS",
  "FAILED",
  "PAUSED",
  "PENDING",
];

test("people and organizations, by page and size", async () => {
  needs(await raycast("GET", "/v1/users/me"), Person);
  const organizations = needs(await raycast("GET", "/v1/organizations?page=1&size=50"), PageOf(Organization));
  assert.deepEqual([organizations.page, organizations.size, organizations.total], [1, 50, 1]);
  await service.api.member("member");
  const page = async (number: number) => {
    const { items, pages } = needs(await raycast("GET", `${O}/users?page=${number}&size=1`), PageOf(Person));
    return { ids: items.map(({ id }) => id), pages };
  };
  const [first, second, beyond] = [await page(1), await page(2), await page(9)];
  assert.deepEqual([first.pages, first.ids.length, second.ids.length, beyond.ids], [2, 1, 1, []]);
  assert.notDeepEqual(first.ids, second.ids);
  needs(await raycast("GET", `${O}/users/${first.ids[0]}`), Person);
  assert.equal(refused(await raycast("GET", `${O}/users/999999`), 404).message, "User not found.");
});

test("a run from its start to its end, stopped and resumed by the beta paths", async () => {
  const created = needs(await raycast("POST", `${O}/agent/run`, { prompt: "Look" }), ShownRun);
  const { id } = created;
  const status = async () => needs(await raycast("GET", `${O}/agent/run/${id}`), ShownRun).status;
  assert.equal(created.status, "PENDING");
  const claimed = await service.api.store.queue.claim("engine", 60_000);
  assert.equal(await status(), "ACTIVE");
  const stopped = await raycast("POST", `${beta}/stop`, { agent_run_id: id });
  assert.equal(needs(stopped, ShownRun).id, id);
  const lease = claimed?.lease;
  assert.ok(lease !== undefined);
  await service.api.store.queue.finishTurn(lease, { status: "cancelled", result: null, summary: null, entries: [] });
  assert.equal(await status(), "CANCELLED");
  const resumed = await raycast("POST", `${beta}/resume`, { agent_run_id: id, prompt: "Go on", images: [] });
  assert.deepEqual([needs(resumed, ShownRun).id, await status()], [id, "PENDING"]);
});

test("the response of stop is a JSON object even if there was nothing to stop", async () => {
  const id = await service.state.endedRun(1);
  needs(await raycast("POST", `${beta}/stop`, { agent_run_id: id }), AnyObject);
  refused(await raycast("POST", `${beta}/stop`, { agent_run_id: 999_999 }), 404);
});

test("every word for a status is one that it knows", () => {
  for (const word of Object.values(referenceStatus)) assert.ok(known.includes(word), word);
});

test("refusals have a message; 401, 403 and 429 differ by status", async () => {
  const invalid = service.client({ ...sent, authorization: "Bearer invalid" });
  refused(await invalid("GET", "/v1/users/me"), 401);
  refused(await raycast("POST", "/v1/organizations/2/agent/run", { prompt: "a" }), 403);
  assert.match(refused(await raycast("POST", `${O}/agent/run`, { prompt: "" }), 400).message, /^prompt: /);
  service.limit();
  for (let count = 0; count < 10; count += 1) needs(await raycast("POST", `${O}/agent/run`, { prompt: "a" }), ShownRun);
  refused(await raycast("POST", `${O}/agent/run`, { prompt: "one too many" }), 429);
});
