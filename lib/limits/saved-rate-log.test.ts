import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { CallerKind, RateClass } from "#lib/contract/operation.ts";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "./rate-limits.ts";
import { SavedRateLog } from "./saved-rate-log.ts";

/** A machine whose clocks stand still until a test moves them; every process has its own origin. */
class Machine {
  readonly file: string;
  readonly warnings: string[] = [];
  wall = 1_790_000_000_000;
  #ran = 0;

  constructor(file: string) {
    this.file = file;
  }

  pass(ms: number): void {
    this.wall += ms;
    this.#ran += ms;
  }

  async start(settings = rateSettingsDefault) {
    const startedAt = this.#ran;
    const clocks = { now: () => this.#ran - startedAt, wall: () => this.wall };
    const log = await SavedRateLog.open(this.file, settings, clocks, (_, message) => void this.warnings.push(message));
    const limits = new RateLimits(log, settings);
    const admits = async (rateClass: RateClass, key = "token:1", kind: CallerKind = "token") =>
      limits.admit({ kind, key }, rateClass).then(
        () => true,
        () => false,
      );
    const admitsOf = async (count: number, rateClass: RateClass, key?: string, kind?: CallerKind) => {
      let admitted = 0;
      for (let index = 0; index < count; index += 1) if (await admits(rateClass, key, kind)) admitted += 1;
      return admitted;
    };
    return { log, limits, admitsOf };
  }
}

async function machine(t: TestContext): Promise<Machine> {
  const folder = await mkdtemp(join(tmpdir(), "errand-limits-"));
  t.after(() => rm(folder, { recursive: true }));
  return new Machine(join(folder, "rate-limits.json"));
}

test("a clean restart in the middle of a window loses nothing, and its time counts", async (t) => {
  const here = await machine(t);
  const first = await here.start();
  assert.equal(await first.admitsOf(40, "standard"), 40);
  assert.equal(await first.admitsOf(10, "create"), 10);
  here.pass(10_000);
  assert.equal(await first.admitsOf(5, "standard"), 5);
  assert.equal(await first.admitsOf(400, "logs", "session:a", "session"), 400);
  await first.log.close();
  here.pass(15_000);
  const second = await here.start();
  assert.equal(await second.admitsOf(20, "standard"), 5);
  assert.equal(await second.admitsOf(400, "logs", "session:a", "session"), 200);
  here.pass(5_000);
  assert.equal(await second.admitsOf(100, "standard"), 50);
  here.pass(29_000);
  assert.equal(await second.admitsOf(1, "create"), 0);
  here.pass(1_000);
  assert.equal(await second.admitsOf(1, "create"), 1);
  await second.log.close();
});

test("ten windows with a restart in each never admit 61 in 30 s", async (t) => {
  const here = await machine(t);
  const admittedAt: number[] = [];
  for (let window = 0; window < 10; window += 1) {
    const { log, admitsOf } = await here.start();
    for (let second = 0; second < 30; second += 1) {
      here.pass(1_000);
      const admitted = await admitsOf(7, "standard");
      for (let index = 0; index < admitted; index += 1) admittedAt.push(here.wall);
    }
    await log.close();
    here.pass(313);
  }
  assert.ok(admittedAt.length >= 600);
  admittedAt.forEach((at, index) => {
    const sixtieth = admittedAt[index + 60];
    assert.ok(sixtieth === undefined || sixtieth - at >= 30_000);
  });
});

test("an admission is in the file within half a second, and a killed process forgets no more", async (t) => {
  const here = await machine(t);
  const { log, admitsOf } = await here.start();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await admitsOf(60, "standard");
  await assert.rejects(stat(here.file), { code: "ENOENT" });
  t.mock.timers.tick(500);
  t.mock.timers.reset();
  // A clean end with nothing more to write waits for the write in progress, as the file system would.
  await log.close();
  const next = await here.start();
  assert.equal(await next.admitsOf(10, "standard"), 0);
  await next.log.close();
  assert.deepEqual(await readdir(join(here.file, "..")), ["rate-limits.json"]);
  assert.equal((await stat(here.file)).mode & 0o777, 0o600);
});

test("a torn, foreign or missing file counts as none and is reported once", async (t) => {
  const here = await machine(t);
  const first = await here.start();
  await first.admitsOf(60, "standard");
  await first.log.close();
  assert.deepEqual(here.warnings, []);
  const whole = await readFile(here.file, "utf8");
  for (const text of [whole.slice(0, -9), "", "[]", '{"written_at":1,"ages":{"token:1":{"shared":[5]}}}']) {
    await writeFile(here.file, text);
    here.warnings.length = 0;
    const { log, admitsOf } = await here.start();
    assert.equal(here.warnings.length, 1, text);
    assert.equal(await admitsOf(61, "standard"), 60);
    await log.close();
  }
});

test("a wall clock that was set back makes nobody wait longer than a window, one set forward forgets", async (t) => {
  const here = await machine(t);
  const first = await here.start();
  await first.admitsOf(60, "standard");
  await first.log.close();
  here.wall -= 3_600_000;
  const second = await here.start();
  assert.equal(await second.admitsOf(1, "standard"), 0);
  here.pass(30_000);
  assert.equal(await second.admitsOf(61, "standard"), 60);
  await second.log.close();
  here.wall += 7_200_000;
  const third = await here.start();
  assert.equal(await third.admitsOf(61, "standard"), 60);
  await third.log.close();
});

test("a file that cannot be written leaves the limits in memory", async (t) => {
  const here = await machine(t);
  const elsewhere = new Machine(join(here.file, "no-such-folder", "rate-limits.json"));
  const { log, admitsOf } = await elsewhere.start();
  assert.equal(await admitsOf(61, "standard"), 60);
  await log.close();
  assert.equal(elsewhere.warnings.length, 1);
});

test("a lower limit applies at once after a restart", async (t) => {
  const here = await machine(t);
  const first = await here.start();
  await first.admitsOf(50, "standard");
  await first.log.close();
  const quotas = { ...rateSettingsDefault.quotas, standard: 20, logs: 20 };
  const second = await here.start({ ...rateSettingsDefault, quotas });
  assert.equal(await second.admitsOf(1, "standard"), 0);
  await second.log.close();
});

test("a process that is killed loses at most the last second", async (t) => {
  const { file } = await machine(t);
  const program = join(import.meta.dirname, "admitting-process.fixture.ts");
  const child = spawn(process.execPath, [program, file], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const admittedAt: number[] = [];
  for await (const lines of child.stdout) {
    for (const line of String(lines).trim().split("\n")) admittedAt.push(Number(line));
    const [first = 0] = admittedAt;
    if ((admittedAt.at(-1) ?? 0) - first > 1800) child.kill("SIGKILL");
  }
  const killedAt = admittedAt.at(-1) ?? 0;
  const old = admittedAt.filter((at) => at <= killedAt - 1000).length;
  assert.ok(old > 10);
  const { ages } = JSON.parse(await readFile(file, "utf8"));
  const kept = Buffer.from(ages["token:1"].ingest, "base64").length / 4;
  assert.ok(kept >= old, `${kept} of ${old} were kept`);
});
