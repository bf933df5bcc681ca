import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { secretMask } from "#lib/entry/secret-mask.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { blank, eventsOf, logsOf, O, ran, read, said, share } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("owner");
});
after(() => api.close());

/** Values that no rule of forms knows. */
const key = "7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
const header = "Hk4Tz8Wc1Rb6Yq3Mx9Ld5Vn7";
const connected = "Pd3Kf7Xs2Gm9Zt5Bw8Cj4Qh6";
const encoded = Buffer.from(key).toString("base64").slice(0, -1);
const putKey = (value: string) => api.ask("PUT", `${O}/keys`, { token, body: { variable: "MODEL_API_KEY", value } });

async function externalRun(entries: object[], prompt = "Go") {
  const made = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt, agent: "external" } });
  assert.equal(made.status, 200, made.text);
  const runId = Number(made.json.id);
  const sent = await api.ask("POST", `${O}/agent/run/${runId}/logs`, { token, body: { entries } });
  assert.equal(sent.status, 200, sent.text);
  return runId;
}

test("a link masks the values that runs are given now, in entries from elsewhere and older than the value, and no search finds them", async () => {
  const colored = `${key.slice(0, 20)}\u001b[31m${key.slice(20)}`;
  const entries = [
    said(`before ${key} after`),
    ran(`out ${encoded} ${colored}\n${header}`, `call ${connected}`),
    { ...blank, message_type: "ACTION", tool_name: key, tool_input: { [key]: [key.slice(3, 20)] }, tool_output: {} },
  ].map(({ created_at, ...entry }: Record<string, unknown>) => entry);
  const runId = await externalRun(entries, `Use ${key}`);
  const { token: link } = await share(api, runId, { outputs: true });
  const search = async (q: string) => (await read(api, link, `/logs/search?q=${q}`)).json.matching_logs;
  const preview = async () =>
    (await api.ask("GET", `${O}/agent/run/${runId}/shares/preview?outputs=true`, { token })).json;
  assert.ok((await read(api, link, "/logs")).text.includes(key), "nothing is given yet");
  assert.equal(await search(key.slice(0, 8)), 3);
  const before = Number((await preview()).masked_secrets);

  assert.equal((await putKey(key)).status, 200);
  const servers = [{ name: "tracker", url: "https://mcp.test/", headers: { Authorization: `Bearer ${header}` } }];
  assert.equal((await api.ask("PUT", `${O}/integrations/mcp`, { token, body: { servers } })).status, 200);
  const place = { organizationId: 1, type: "slack" } as const;
  const secretSealed = api.runtime.seal.seal(JSON.stringify({ token: connected }), sealContextOf(place, "secret"));
  await api.store.integrations.put(api.home, "slack", { secretSealed });

  for (const path of ["", "/logs", "/logs?clip=20", "/logs/1", "/logs/2", "/logs/3", "/logs/timeline", "/logs/tools"]) {
    const { text } = await read(api, link, path);
    for (const value of [key.slice(0, 12), key.slice(20), key.slice(3, 20), encoded, header, connected]) {
      assert.ok(!text.includes(value), `${path} ${text}`);
    }
  }
  const streamed = JSON.stringify(await eventsOf(api, link, (events) => events.some(({ id }) => id === 3)));
  assert.ok(streamed.includes(secretMask) && !streamed.includes(key.slice(0, 12)));
  for (const q of [key, key.slice(0, 8), key.slice(20), header.slice(2, 9), connected])
    assert.equal(await search(q), 0);
  assert.equal(await search("before"), 1);
  assert.deepEqual(logsOf(await read(api, link, "/logs"))[0]?.observation, `before ${secretMask} after`);
  const { masked_secrets, masked_seqs } = await preview();
  assert.deepEqual([Number(masked_secrets) - before, masked_seqs], [8, [1, 2, 3]]);

  // What is no longer given is no secret any more, and what is given from now on is one.
  assert.equal((await putKey("another-Kx8Rt2Vq6Wn4Zb9")).status, 200);
  assert.equal(await search(key.slice(0, 8)), 3);
});

test("an open stream ends when another value is to be masked, and continues with it", async () => {
  assert.equal((await putKey("another-Kx8Rt2Vq6Wn4Zb9")).status, 200);
  const { run, lease } = await api.liveRun([said("one")]);
  const { token: link } = await share(api, run.id);
  let changed: Promise<unknown> | null = null;
  const events = await eventsOf(api, link, ({ length }) => {
    if (length >= 2) changed ??= putKey(key);
    return false;
  });
  assert.ok(changed !== null && events.every(({ event }) => event !== "end"));
  await api.store.queue.append(lease, [said(`now ${key}`)]);
  const more = await eventsOf(api, link, (all) => all.some(({ id }) => id === 2), "?after=1");
  assert.ok(JSON.stringify(more).includes(`now ${secretMask}`));
  await api.finish(lease);
});
