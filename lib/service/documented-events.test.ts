import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

type Definition = { name: string; examples: object[] };

test("every event that GitHub documents is accepted or ignored, and none asks for anything", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const file = fileURLToPath(import.meta.resolve("@octokit/webhooks-examples"));
  const definitions: Definition[] = JSON.parse(await readFile(file, "utf8"));
  const statuses = new Map<string, number>();
  for (const { name, examples } of definitions) {
    for (const payload of examples) {
      const { status, json } = await connected.send(connected.host.signed(name, payload));
      assert.ok(status === 200 || status === 202, `${name}: ${status}`);
      assert.equal(json.accepted, false, name);
      statuses.set(name, status);
    }
  }
  assert.ok(statuses.size >= 58, String(statuses.size));
  await connected.conversations.processDue();
  assert.deepEqual(await connected.runs(), []);
});
