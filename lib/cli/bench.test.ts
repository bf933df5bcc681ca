// Tier: rest
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import type { Front } from "#lib/web/front.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./usage-error.ts";

let api: ApiUnderTest;
let front: Front;

before(async () => {
  api = await ApiUnderTest.open();
  front = await api.serve();
});
after(async () => {
  await front.close();
  await api.close();
});

type Ended = { code: unknown; stdout: string; stderr: string };

function errand(...words: string[]): Promise<Ended> {
  const main = join(import.meta.dirname, "main.ts");
  const env = { ...process.env, ERRAND_DATA_DIR: api.folder };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, "bench", ...words], { env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

async function runOf({ stdout }: Ended) {
  const run = await api.store.runs.find(api.home, Number(stdout));
  assert.ok(run !== null, stdout);
  return run;
}

test("a seeded run has its entries, has ended, and is the same for the same seed", async () => {
  const asked = ["seed", "--entries", "1200", "--seed", "7", "--url", front.url, "--token", await api.token()];
  const runs = [];
  for (const ended of await Promise.all([errand(...asked), errand(...asked)])) {
    assert.deepEqual([ended.code, ended.stderr.split("\n").length], [0, 2], ended.stderr);
    assert.match(ended.stderr, /^1200 entries, [\d.]+ [KM]B, in [\d.]+ s: \d+ entries\/s\n$/);
    runs.push(await runOf(ended));
  }
  assert.deepEqual(
    runs.map(({ status, totalLogs, agent }) => [status, totalLogs, agent]),
    Array(2).fill(["completed", 1200, "external"]),
  );
  const bodies = runs.map(async ({ id }) => (await api.store.entries.find(api.home, id, 445)) ?? "");
  const [one, other] = (await Promise.all(bodies)).map((body) => body.slice(body.indexOf('"created_at"')));
  assert.equal(one, other);
  assert.match(String(one), /needle-37/);
});

test("without an address the service on the data folder is used, by a token that is gone afterwards", async () => {
  const missing = await errand("seed", "--entries", "3");
  assert.deepEqual([missing.code, missing.stdout], [2, ""]);
  assert.match(missing.stderr, /^errand: Errand has not run with the data folder .*\n$/);
  await writeFile(join(api.folder, "address"), `${front.url}\n`);
  const before = await api.store.tokens.list(api.home, {}, { skip: 0, limit: 100 });
  assert.equal((await runOf(await errand("seed", "--entries", "3"))).totalLogs, 3);
  assert.deepEqual(await api.store.tokens.list(api.home, {}, { skip: 0, limit: 100 }), before);
});

test("a seed that is not possible is reported in one line", async () => {
  const refused = await errand("seed", "--entries", "3", "--url", front.url, "--token", "errand_wrong");
  assert.deepEqual([refused.code, refused.stdout], [1, ""]);
  assert.match(refused.stderr, /^errand: Errand responded with 401: .*\n$/);
  for (const words of [[], ["seed"], ["seed", "--entries", "0"], ["seed", "--entries", "5", "--url", front.url]]) {
    await assert.rejects(
      runCommand(["bench", ...words], { NODE_ENV: "test", ERRAND_DATA_DIR: api.folder }),
      (error) => error instanceof UsageError && /^[^\n]+$/.test(error.message),
    );
  }
});
