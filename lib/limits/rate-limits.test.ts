import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/contract/error.ts";
import { type CallerKind, type RateClass, rateClasses } from "#lib/contract/operation.ts";
import { limitsOf, type RateSettings, rateSettingsDefault, rateWords } from "#lib/contract/rate-limits.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { RateLimits } from "./rate-limits.ts";
import { MemoryRateLog } from "./rate-log.ts";

type Answer = { ok: boolean; retryAfter: number; headers: Record<string, string> };

function open(settings: RateSettings = rateSettingsDefault) {
  const clock = { now: 0 };
  const log = new MemoryRateLog(() => clock.now);
  const limits = new RateLimits(log, settings);
  const ask = async (rateClass: RateClass, key = "token:1", kind: CallerKind = "token"): Promise<Answer> => {
    try {
      return { ok: true, retryAfter: 0, headers: await limits.admit({ kind, key }, rateClass) };
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === "rate_limited");
      return { ok: false, retryAfter: Number(error.headers["retry-after"]), headers: error.headers };
    }
  };
  return { clock, log, limits, ask };
}

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("random arrivals of all classes: each is admitted exactly if every window has room", async () => {
  for (let seed = 1; seed <= countOf({ short: 20, long: 400 }); seed += 1) {
    const random = randomFrom(seed);
    const { clock, ask } = open();
    const admitted: { at: number; rateClass: RateClass }[] = [];
    const meanMs = 20 + random() * 600;
    while (clock.now < 10 * 60_000) {
      // Bursts, pauses, and times exactly a whole window apart.
      clock.now += random() < 0.3 ? 0 : random() < 0.05 ? 30_000 : Math.floor(random() * 2 * meanMs);
      const rateClass = rateClasses[Math.floor(random() ** 3 * rateClasses.length)] ?? "standard";
      const room = limitsOf(rateClass, "token", rateSettingsDefault).every(
        ({ name, quota, seconds, log }) =>
          admitted.filter(({ at, rateClass: other }) => {
            const counts = log === "shared" ? other !== "ingest" && other !== "share" : other === name;
            return counts && at > clock.now - seconds * 1000;
          }).length < quota,
      );
      const answer = await ask(rateClass);
      assert.equal(answer.ok, room, `seed ${seed}, ${rateClass} at ${clock.now}`);
      if (answer.ok) admitted.push({ at: clock.now, rateClass });
    }
    const shared = admitted.filter(({ rateClass }) => rateClass !== "ingest" && rateClass !== "share");
    shared.forEach(({ at }, index) => {
      const sixtieth = shared[index + 60];
      assert.ok(sixtieth === undefined || sixtieth.at - at >= 30_000, `61 requests within 30 s of ${at}`);
    });
  }
});

test("after Retry-After the same request is admitted, and a second earlier it would not be", async () => {
  for (let seed = 1; seed <= countOf({ short: 30, long: 300 }); seed += 1) {
    const random = randomFrom(seed);
    const { clock, ask } = open();
    let refusals = 0;
    while (refusals < 40) {
      clock.now += random() * 300;
      const rateClass = rateClasses[Math.floor(random() * rateClasses.length)] ?? "standard";
      const { ok, retryAfter } = await ask(rateClass);
      if (ok) continue;
      refusals += 1;
      assert.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60);
      const refusedAt = clock.now;
      clock.now = refusedAt + (retryAfter - 1) * 1000;
      // One second less is never enough: a refused request is charged nowhere, so asking changes nothing.
      const early = await ask(rateClass);
      assert.equal(early.ok, false, `seed ${seed}: ${retryAfter} s for ${rateClass} is more than a second too long`);
      clock.now = refusedAt + retryAfter * 1000;
      assert.equal((await ask(rateClass)).ok, true, `seed ${seed}: ${retryAfter} s is too short for ${rateClass}`);
    }
  }
});

test("a request exactly one window later is admitted, one a millisecond earlier is not", async () => {
  const { clock, ask } = open();
  for (let count = 0; count < 60; count += 1) assert.ok((await ask("standard")).ok);
  clock.now = 29_999;
  assert.deepEqual(await ask("standard").then(({ ok, retryAfter }) => [ok, retryAfter]), [false, 1]);
  clock.now = 30_000;
  assert.ok((await ask("standard")).ok);
});

test("a clock with fractions adds no extra second", async () => {
  const { clock, ask } = open();
  for (let step = 0; step < 2000; step += 1) {
    clock.now = 1234.567891 + step * 60_000.123456;
    assert.equal((await ask("standard")).headers.ratelimit, '"standard";r=59;t=30');
  }
});

test("a refused request is charged to no log", async () => {
  const { clock, ask } = open();
  for (let count = 0; count < 10; count += 1) assert.ok((await ask("create")).ok);
  for (let count = 0; count < 500; count += 1) assert.equal((await ask("create")).ok, false);
  for (let count = 0; count < 50; count += 1) assert.ok((await ask("standard")).ok);
  assert.equal((await ask("standard")).ok, false);
  clock.now = 30_000;
  assert.equal((await ask("create")).retryAfter, 30);
  assert.ok((await ask("standard")).ok);
});

test("reading logs has a window of its own beside standard, ingest only its own", async () => {
  const { clock, ask } = open();
  // A client that polls a run as often as it may, and another that reads its log.
  for (let second = 0; second < 300; second += 1) {
    clock.now = second * 1000;
    if (second % 6 !== 5) assert.ok((await ask("standard")).ok, `${second}`);
    assert.equal((await ask("logs")).ok, true, `${second}`);
  }
  clock.now = 600_000;
  for (let count = 0; count < 60; count += 1) {
    clock.now += 600;
    assert.ok((await ask("logs")).ok);
  }
  assert.deepEqual(await ask("logs").then(({ ok, retryAfter }) => [ok, retryAfter]), [false, 25]);
  assert.ok((await ask("standard")).ok);
  for (let count = 0; count < 1000; count += 1) assert.ok((await ask("ingest")).ok);
  assert.equal((await ask("ingest")).ok, false);
  assert.ok((await ask("standard")).ok);
});

test("a session has ten times as much, and two tokens do not affect each other", async () => {
  const { ask } = open();
  for (let count = 0; count < 600; count += 1) assert.ok((await ask("logs", "session:a", "session")).ok);
  assert.equal((await ask("logs", "session:a", "session")).ok, false);
  assert.ok((await ask("logs", "session:b", "session")).ok);
  for (let count = 0; count < 60; count += 1) assert.ok((await ask("standard", "token:1")).ok);
  assert.equal((await ask("standard", "token:1")).ok, false);
  assert.ok((await ask("standard", "token:2")).ok);
});

test("0 turns off one limit and leaves the others", async () => {
  const quotas = { ...rateSettingsDefault.quotas, standard: 0, create: 0 };
  const { ask } = open({ quotas, sessionFactor: 0 });
  for (let count = 0; count < 200; count += 1) assert.ok((await ask("create")).ok);
  assert.deepEqual((await ask("create")).headers, {});
  for (let count = 0; count < 60; count += 1) assert.ok((await ask("logs")).ok);
  assert.equal((await ask("logs")).ok, false);
  for (let count = 0; count < 2000; count += 1) assert.ok((await ask("logs", "session:a", "session")).ok);
});

test("headers name every limit, what is left of it and when there is more", async () => {
  const { clock, ask } = open();
  await ask("standard");
  clock.now = 10_500;
  const { headers } = await ask("create");
  assert.deepEqual(headers, {
    "ratelimit-policy": '"standard";q=60;w=30, "create";q=10;w=60',
    ratelimit: '"standard";r=58;t=20, "create";r=9;t=60',
  });
  assert.deepEqual((await ask("none")).headers, {});
});

test("failures count by address, if there is one", async () => {
  const { limits, clock } = open();
  for (let count = 0; count < 30; count += 1) await limits.countFailure("192.0.2.1");
  await assert.rejects(limits.countFailure("192.0.2.1"), { code: "rate_limited" });
  await limits.countFailure("192.0.2.2");
  for (let count = 0; count < 100; count += 1) await limits.countFailure(null);
  clock.now = 60_000;
  await limits.countFailure("192.0.2.1");
});

test("a caller who has been quiet for a minute is forgotten, and an attacker with many addresses costs bounded memory", async () => {
  const { limits, log, clock, ask } = open();
  for (let count = 0; count < 60; count += 1) await ask("standard");
  for (let index = 0; index < 60_000; index += 1) await limits.countFailure(`address ${index}`);
  assert.equal(log.size, 50_001);
  assert.equal((await ask("standard")).ok, false);
  clock.now = 59_999;
  log.sweep();
  assert.equal(log.size, 50_001);
  clock.now = 60_000;
  log.sweep();
  assert.equal(log.size, 0);
});

test("limits are described with their configured numbers", () => {
  assert.equal(rateWords("standard", rateSettingsDefault), "60 requests per 30 seconds");
  assert.equal(
    rateWords("create", rateSettingsDefault),
    "10 requests per 60 seconds, and 60 requests per 30 seconds for all requests",
  );
  assert.equal(rateWords("ingest", rateSettingsDefault), "1000 requests per 60 seconds");
  const off = { ...rateSettingsDefault, quotas: { ...rateSettingsDefault.quotas, ingest: 0 } };
  assert.equal(rateWords("ingest", off), null);
});
