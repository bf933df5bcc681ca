// Tier: rest
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { createSeal } from "#lib/secrets/seal.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { Target, verifyWithLibrary } from "#lib/webhooks/target.fixture.ts";

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const order = ["run.started", "run.waiting", "run.finished"];

/** A real engine process. Whenever it ends, killed or by itself, another one takes its place, as under the supervisor. */
class RestartedEngine {
  readonly #dataDir: string;
  #child: ChildProcess;
  #isEnding = false;
  kills = 0;

  constructor(t: TestContext, dataDir: string) {
    this.#dataDir = dataDir;
    this.#child = this.#spawn();
    t.after(() => this.end());
  }

  /** Kills it as a power cut would, without notice. */
  kill(): void {
    if (this.#child.kill("SIGKILL")) this.kills += 1;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  #spawn(): ChildProcess {
    const env = {
      NODE_ENV: "production" as const,
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: this.#dataDir,
      ERRAND_DATA_DIR: this.#dataDir,
      ERRAND_OUTBOUND_ALLOW: "127.0.0.1",
      ERRAND_PUBLIC_URL: "http://errand.test",
      ERRAND_LOG_LEVEL: "silent",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    };
    const entry = join(import.meta.dirname, "main.ts");
    const child = spawn(process.execPath, [entry], { env, stdio: "ignore" });
    child.once("exit", () => {
      if (!this.#isEnding) this.#child = this.#spawn();
    });
    return child;
  }
}

test("killed engines lose no end of a run; repeated deliveries have the same id; runs are reported in order", async (t) => {
  const [ends, kills] = [countOf({ short: 40, long: 1000 }), countOf({ short: 2, long: 30 })];
  const dataDir = await mkdtemp(join(tmpdir(), "errand-kills-"));
  const store = await openStore({ file: join(dataDir, "errand.db") });
  const access = await store.organizations.ensureFirst({ organization: "Home", fullName: "Ada", email: null });
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  const target = await Target.open(t);
  await store.webhooks.save(access, {
    url: target.url,
    key: "key",
    secret: seal.seal(secret, webhookSealContext(access.organizationId, "key")),
    events: ["run.started", "run.waiting", "run.finished"],
    enabled: true,
    previousSecret: null,
    previousUntil: null,
  });
  const engine = new RestartedEngine(t, dataDir);
  t.after(async () => {
    await engine.end();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const told = new Set<string>();
  const verified: Promise<string | null>[] = [];
  const wanted = ends * order.length;
  const complete = new Promise<void>((resolve) => {
    target.answer = (event) => {
      // On arrival, as receivers do: a signature is valid for five minutes.
      verified.push(verifyWithLibrary(secret, event).then(() => null, String));
      told.add(event.id);
      if (told.size === wanted) resolve();
      // Spread evenly over all deliveries; every other time the engine dies before it has its response.
      const isDue = engine.kills < kills && told.size >= ((engine.kills + 1) * wanted) / (kills + 1);
      if (isDue) engine.kill();
      return isDue && engine.kills % 2 === 0 ? () => undefined : 200;
    };
  });
  for (let index = 0; index < ends; index++) {
    const { id } = await store.runs.create(access, { ...plainRun(`Run ${index}`), agent: "external" });
    for (const status of ["waiting", "running", "completed"] as const)
      await store.external.update(access, id, { status });
  }
  await complete;

  assert.equal(engine.kills, kills);
  const runs = Map.groupBy(target.received, ({ runId }) => runId);
  assert.equal(runs.size, ends);
  for (const heard of runs.values()) {
    // Each event arrives at least once and in order; a repetition follows the first delivery and has its id.
    assert.deepEqual(
      heard.map(({ type }) => order.indexOf(type)).toSorted(),
      heard.map(({ type }) => order.indexOf(type)),
    );
    const ids = Map.groupBy(heard, ({ type }) => type);
    assert.deepEqual([...ids.keys()], order);
    for (const same of ids.values()) assert.equal(new Set(same.map(({ id }) => id)).size, 1);
  }
  assert.equal(verified.length, target.received.length);
  assert.deepEqual(new Set(await Promise.all(verified)), new Set([null]));
  t.diagnostic(`${wanted} events of ${ends} runs, ${kills} kills: 0 lost, ${target.received.length - wanted} repeated`);
});
