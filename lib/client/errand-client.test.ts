import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { someEntries } from "#lib/web/api-under-test.ts";
import { type Client, ClientError, createClient, type RunEvent } from "./errand-client.ts";
import { type ServedApi, serveApi } from "./served-api.fixture.ts";

let served: ServedApi;
let client: Client;
before(async () => {
  served = await serveApi();
  client = createClient({ baseUrl: served.url, token: await served.api.token() });
});
after(() => served.close());

/** Follows a run to its end; `onEntry` is called as entries arrive. */
async function followed(runId: number, onEntry: (seq: number) => unknown = () => {}, by = client): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of by.follow(runId)) {
    events.push(event);
    if (event.type === "entry") await onEntry(event.entry.seq);
  }
  return events;
}

const seqsOf = (events: RunEvent[]) => events.flatMap((event) => (event.type === "entry" ? [event.entry.seq] : []));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test("an address and a token are enough to start, read, list, search, analyze, resume and cancel runs", async () => {
  const { api } = served;
  const { run: old, lease } = await api.liveRun(someEntries(3, (index) => `needle ${index}`));
  await api.finish(lease);
  const run = await client.create({ prompt: "Look around", agent: "external", metadata: { ticket: "A-1" } });
  assert.deepEqual([run.organization_id, run.status, run.metadata], [1, "running", { ticket: "A-1" }]);
  assert.equal((await client.get(run.id)).prompt, "Look around");

  const { items, total } = await client.list({ status: ["completed"], limit: 1 });
  assert.deepEqual([items.map(({ id }) => id), total], [[old.id], 1]);
  const page = await client.logs(old.id, { skip: 1, limit: 1, reverse: true });
  assert.deepEqual([page.logs.map(({ seq }) => seq), page.total_logs], [[2], 3]);
  assert.deepEqual((await client.repositories({ limit: 1 })).items, []);
  const found = await client.search({ q: "needle" });
  assert.deepEqual(
    found.items.map((item) => item.run.id),
    [old.id],
  );
  let analysis = await client.analysis(old.id);
  // An answer has a time budget, so on a busy machine it may be based on the first entries only.
  while (analysis.partial) analysis = await client.analysis(old.id);
  assert.equal(analysis.analysed, 3);
  assert.equal(await client.diff(old.id), "");

  const resumed = await client.resume({ agent_run_id: old.id, prompt: "Again" });
  assert.deepEqual([resumed.id, resumed.turns, resumed.status], [old.id, 2, "queued"]);
  assert.equal((await client.cancel(old.id)).status, "cancelled");
  assert.equal((await client.cancel(run.id)).status, "cancelled");
});

test("a repeated start with the same key starts one run", async () => {
  const body = { prompt: "Once", agent: "external" };
  const one = await client.create(body, { idempotencyKey: "the-key" });
  assert.equal((await client.create(body, { idempotencyKey: "the-key" })).id, one.id);
  assert.notEqual((await client.create(body)).id, one.id);
});

test("a followed run yields every entry once and in order, whatever happens to the connection", async () => {
  const { api } = served;
  const { run, lease } = await api.liveRun(5);
  let cuts = 0;
  const events = await followed(run.id, async (seq) => {
    if (seq === 5) {
      cuts += served.cut();
      // More than would be streamed to a page after an absence.
      for (const count of [100, 100, 50]) await api.store.queue.append(lease, someEntries(count));
    }
    if (seq === 200 || seq === 254) cuts += served.cut();
    if (seq === 255) await api.finish(lease);
  });
  assert.ok(cuts >= 3, `${cuts} cuts`);
  assert.deepEqual(seqsOf(events), upTo(255));
  const [first, ...rest] = events;
  assert.equal(first?.type === "run" && first.run.status, "running");
  const last = rest.findLast((event) => event.type === "run");
  assert.equal(last?.run.status, "completed");
});

test("a run that has ended is followed from where it is known, and progress is reported", async () => {
  const { api } = served;
  const { run, lease } = await api.liveRun(3);
  const progress = { thought: "", text: "So far", tools: [], updated_at: "2026-01-31T23:59:59.000Z" };
  await api.store.queue.setProgress(lease, progress);
  for await (const event of client.follow(run.id, { after: 3 })) {
    assert.notEqual(event.type, "entry");
    if (event.type === "progress") {
      assert.equal(event.progress?.text, "So far");
      break;
    }
  }
  await api.finish(lease);
  const seen: number[] = [];
  for await (const event of client.follow(run.id, { after: 1 })) if (event.type === "entry") seen.push(event.entry.seq);
  assert.deepEqual(seen, [2, 3]);
  for await (const event of client.follow(run.id, { after: 3 })) assert.equal(event.type, "run");
});

test("a token with the reference service's vocabulary follows a run as long as any other", async () => {
  const { api } = served;
  const { run, lease } = await api.liveRun(0);
  const token = await api.token("owner", { style: "reference" });
  const reference = createClient({ baseUrl: `${served.url}/`, token, organizationId: 1 });
  const statuses: string[] = [];
  for await (const event of reference.follow(run.id)) {
    if (event.type !== "run") continue;
    statuses.push(event.run.status);
    if (event.run.status === "ACTIVE") await api.finish(lease);
  }
  assert.deepEqual([statuses[0], statuses.at(-1)], ["ACTIVE", "COMPLETE"]);
});

test("following ends with the signal's reason, and with the service's refusal when the token is revoked", async () => {
  const { api } = served;
  const { run, lease } = await api.liveRun(2);
  const giveUp = new AbortController();
  const following = async () => {
    for await (const event of client.follow(run.id, { signal: giveUp.signal })) {
      if (event.type === "entry" && event.entry.seq === 2) giveUp.abort(new Error("enough"));
    }
  };
  await assert.rejects(following, { message: "enough" });
  await assert.rejects(client.follow(run.id, { signal: AbortSignal.abort(new Error("never")) }).next(), {
    message: "never",
  });

  const secret = await api.token("viewer");
  const other = createClient({ baseUrl: served.url, token: secret });
  const { json } = await api.asked("GET", "/v1/organizations/1/tokens", { token: await api.token() });
  const named = (json.items as { id: number; hint: string }[]).find(({ hint }) => secret.endsWith(hint));
  const revoked = followed(
    run.id,
    async (seq) => {
      if (seq === 2) {
        await api.asked("DELETE", `/v1/organizations/1/tokens/${named?.id}`, { token: await api.token() });
      }
    },
    other,
  );
  await assert.rejects(revoked, (error) => error instanceof ClientError && error.status === 401);
  await api.finish(lease);
});

test("every failure is one error with status, detail, request id and time to wait", async () => {
  const { api } = served;
  const rejected = async (asked: Promise<unknown>): Promise<ClientError> => {
    const error = await asked.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ClientError, String(error));
    return error;
  };
  const missing = await rejected(client.get(999_999));
  assert.deepEqual([missing.status, missing.code, missing.detail], [404, "not_found", "Agent run not found."]);
  assert.equal(missing.message, missing.detail);
  assert.match(String(missing.requestId), /^[\w.-]{8,64}$/);
  assert.equal(missing.retryAfterMs, null);

  const empty = await rejected(client.create({ prompt: "" }));
  assert.deepEqual([empty.status, empty.fields[0]?.loc], [400, ["body", "prompt"]]);

  const stranger = createClient({ baseUrl: served.url, token: "errand_of-nobody" });
  assert.equal((await rejected(stranger.list())).status, 401);

  const nowhere = createClient({ baseUrl: "http://127.0.0.1:1", token: "errand_x" });
  const unreachable = await rejected(nowhere.follow(1).next());
  assert.deepEqual([unreachable.status, unreachable.code, unreachable.isTransient], [0, "unreachable", true]);

  const wide = api.runtime.limits;
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => performance.now()), {
    ...rateSettingsDefault,
    quotas: { ...rateSettingsDefault.quotas, create: 1 },
  });
  try {
    await client.create({ prompt: "One", agent: "external" });
    const limited = await rejected(client.create({ prompt: "Two", agent: "external" }));
    assert.deepEqual([limited.status, limited.code, limited.isTransient], [429, "rate_limited", true]);
    assert.ok(Number(limited.retryAfterMs) > 0 && Number(limited.retryAfterMs) <= 60_000);
  } finally {
    api.runtime.limits = wide;
  }
});

test("an invalid address or token is refused before anything is sent", async () => {
  assert.throws(() => createClient({ baseUrl: "localhost:3000", token: "errand_x" }), /baseUrl must be an http/);
  assert.throws(() => createClient({ baseUrl: served.url, token: "" }), /token must be an API token/);
  assert.throws(() => createClient({ baseUrl: served.url, token: "errand_x\n" }), /token must be an API token/);
  const asked: string[] = [];
  const below = createClient({
    baseUrl: "https://example.com/errand/",
    token: "errand_x",
    organizationId: 3,
    fetch: async (address) => {
      asked.push(String(address));
      return Response.json({ id: 7 });
    },
  });
  await below.get(7);
  assert.deepEqual(asked, ["https://example.com/errand/v1/organizations/3/agent/run/7"]);
});

test("in plain Node the client loads from a file, with neither pages nor their packages", async () => {
  const root = join(import.meta.dirname, "..", "..");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, "loaded-modules.fixture.ts")],
    {
      cwd: root,
    },
  );
  const { files, kinds }: { files: string[]; kinds: string[] } = JSON.parse(stdout);
  assert.deepEqual(kinds, ["function", "function"]);
  assert.ok(files.some((file) => file.endsWith("/lib/client/live/tail.ts")));
  const packages = new Set(files.flatMap((file) => /\/node_modules\/([^/]+)/.exec(file)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), ["eventsource-parser"]);
  const own = files.filter((file) => file.startsWith("file:") && !file.includes("/node_modules/"));
  assert.deepEqual(
    own.filter((file) => !/\/lib\/(?:client|contract)(?:\/[\w-]+){1,2}\.ts$/.test(file)),
    [],
  );
  assert.deepEqual(
    files.filter((file) => /^node:/.test(file)),
    [],
  );
});

test("a program elsewhere imports the client when Errand's folder is linked, as npm installs a folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "errand-consumer-"));
  try {
    await mkdir(join(folder, "node_modules"));
    await symlink(join(import.meta.dirname, "..", ".."), join(folder, "node_modules", "errand"));
    const program = `import { createClient } from "errand/client";\nconsole.log(typeof createClient satisfies string);\n`;
    await writeFile(join(folder, "program.mts"), program);
    const { stdout } = await promisify(execFile)(process.execPath, ["program.mts"], { cwd: folder });
    assert.equal(stdout, "function\n");
  } finally {
    await rm(folder, { recursive: true });
  }
});
