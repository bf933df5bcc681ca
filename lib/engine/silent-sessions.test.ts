import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Store } from "#lib/store/store.ts";
import { SilentSessions } from "./silent-sessions.ts";

test("engines end the run of a terminal that is gone, once; a silence limit of 0 ends none", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-silence-"));
  t.after(() => rm(folder, { recursive: true }));
  let nowMs = Date.parse("2026-01-31T12:00:00.000Z");
  const file = join(folder, "errand.db");
  const now = () => new Date(nowMs);
  const [store, other] = [await openStore({ file, now }), await openStore({ file, now })];
  const access = await store.organizations.ensureFirst({ organization: "Errand", fullName: "Ada", email: null });
  const run = plainRun("In a terminal", { agent: externalAgent, sourceType: "LOCAL" });
  const opened = await store.claudeSessions.open(access, randomUUID(), run);
  assert.ok("runId" in opened);

  const told: object[] = [];
  const heard = Promise.withResolvers<void>();
  const logger = {
    info: (fields: object) => {
      told.push(fields);
      heard.resolve();
    },
    warn: () => undefined,
    error: (fields: object) => heard.reject(fields),
  };
  let looks = 0;
  const looked = Promise.withResolvers<void>();
  const never = {
    ...store.claudeSessions,
    endSilent: () => assert.fail("it was looked for silent sessions"),
  };
  const counted = {
    ...other.claudeSessions,
    endSilent: async (silenceMs: number) => {
      const ended = await other.claudeSessions.endSilent(silenceMs);
      looks += 1;
      if (looks === 3) looked.resolve();
      return ended;
    },
  };
  const parts = { silenceMs: 50, logger, lookMs: 5 };
  const off = new SilentSessions({ ...parts, store: { claudeSessions: never }, silenceMs: 0 });
  const engines = [
    new SilentSessions({ ...parts, store }),
    new SilentSessions({ ...parts, store: { claudeSessions: counted } }),
  ];
  off.start();
  for (const engine of engines) engine.start();
  await looked.promise;
  assert.equal((await store.runs.find(access, opened.runId))?.status, "running");
  nowMs += 60_000;
  await heard.promise;
  for (const engine of [off, ...engines]) await engine.stop();
  const ended = await store.runs.find(access, opened.runId);
  assert.deepEqual([ended?.status, ended?.totalLogs, told], ["timed_out", 1, [{ run: opened.runId }]]);
  await store.close();
  await other.close();
});

test("time in which the process was paused is nobody's silence, and the first look after it ends no run; nor is time before it began", async () => {
  let now = 0;
  let look: () => void = () => assert.fail("nothing waits");
  const clock = {
    now: () => now,
    wait: (ms: number, call: () => void) => {
      const at = now + ms;
      look = () => {
        now = Math.max(now, at);
        call();
      };
      return () => undefined;
    },
  };
  const limits: number[] = [];
  const endSilent = async (silenceMs: number) => {
    limits.push(silenceMs);
    return [];
  };
  const logger = { info: () => undefined, warn: () => undefined, error: () => assert.fail("it failed") };
  const store = { claudeSessions: { endSilent } } as unknown as Pick<Store, "claudeSessions">;
  const sessions = new SilentSessions({ store, silenceMs: 60_000, logger, clock });
  sessions.start();
  const looks = async (count: number) => {
    for (let at = 0; at < count; at++) {
      look();
      await new Promise(setImmediate);
    }
  };
  await looks(5);
  assert.deepEqual(limits, [], "it has not been listening for that long");
  await looks(1);
  now += 3_610_000;
  await looks(8);
  assert.deepEqual(limits, [60_000, ...Array(5).fill(3_660_000), 60_000, 60_000]);
  await sessions.stop();
});
