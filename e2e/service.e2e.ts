import { type ChildProcess, execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiClient } from "./api.ts";
import { isAlive, processesBelow, processesWith } from "./processes.ts";
import { Product } from "./product.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, test } from "./test.ts";

test("SIGTERM ends everything within 10 s: live agents, their processes, open event streams", async () => {
  const product = await Product.start();
  const api = await ApiClient.create(product);
  const marker = `errand-stop-${process.pid}-${Date.now()}`;
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: `Wait.\n\`\`\`sh\n(setsid bash -c 'exec -a ${marker} sleep 600' &) ; exec -a ${marker} sleep 600\n\`\`\``,
    agent: "steps",
  });
  await expect.poll(() => processesWith(marker)).toBeGreaterThan(0);
  const streams = [1, 2, 3].map(() => api.follow(Number(run.id)));
  for (const stream of streams) expect((await stream.next()).value).toMatchObject({ event: "run" });
  const drained = Promise.all(streams.map(drain));
  const tookMs = await product.stop();
  expect(tookMs).toBeLessThan(10_000);
  expect(processesWith(marker)).toBe(0);
  await drained;
});

test("a start prints three lines: where it is, how to sign in, and how to get another link", { tag: "@short" }, async ({
  product,
}) => {
  const [ready, signIn, another, ...more] = product.greeting.split("\n");
  expect(ready).toBe(`Errand is ready at ${product.url}`);
  expect(signIn).toBe(`Sign in (once, within 15 minutes): ${product.signInLink}`);
  expect(another).toMatch(/^Another link: .*npm run --silent errand -- login$/);
  expect(more).toEqual([""]);
});

test("whatever prevents a start is reported in one clear line, with exit code 1", async ({ product }) => {
  const folder = temporaryFolder("errand-fail-");
  const file = join(folder, "file");
  writeFileSync(file, "");
  const newer = join(folder, "newer");
  mkdirSync(newer);
  withStore(join(product.dataDir, "errand.db"), (store) =>
    store.prepare("VACUUM INTO ?").run(join(newer, "errand.db")),
  );
  withStore(join(newer, "errand.db"), (store) => store.exec("PRAGMA user_version = 9999"));
  const [taken, unwritable, future, port] = await Promise.all([
    startAndFail({ PORT: new URL(product.url).port }),
    startAndFail({ ERRAND_DATA_DIR: join(file, "data") }),
    startAndFail({ ERRAND_DATA_DIR: newer }),
    startAndFail({ PORT: "70000" }),
  ]);
  expect(taken).toMatchObject({ code: 1, lines: [expect.stringMatching(/port \d+ .*in use|taken/i)] });
  expect(unwritable).toMatchObject({ code: 1, lines: [expect.stringContaining(file)] });
  expect(future).toMatchObject({ code: 1, lines: [expect.stringMatching(/newer|9999/)] });
  expect(port).toMatchObject({ code: 1, lines: [expect.stringContaining("PORT: must be a whole number")] });
});

test("without a sandbox, no process of a run is left once a killed service has started again", async () => {
  const settings = { ERRAND_SANDBOX: "process-group" };
  const killed = await Product.start(settings);
  let again: Product | null = null;
  try {
    const api = await ApiClient.create(killed);
    const marker = `errand-left-${process.pid}-${Date.now()}`;
    const live = `bash -c "exec -a ${marker} sleep 600"`;
    const escapes = [`${live} &`, `setsid ${live} &`, `(setsid bash -c '(${live}) & exit' &)`, live];
    const prompt = `Wait.\n\`\`\`sh\n${escapes.join("\n")}\n\`\`\``;
    await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
    await expect.poll(() => processesWith(marker)).toBe(escapes.length);
    for (const { pid } of await killed.processes()) process.kill(pid, "SIGKILL");
    again = await Product.start({ ...settings, ERRAND_DATA_DIR: killed.dataDir });
    await expect.poll(() => processesWith(marker), { timeout: 60_000 }).toBe(0);
  } finally {
    await again?.stop();
    await killed.stop();
  }
});

test("a killed supervisor leaves no process behind, however far they have started", async () => {
  for (const waitMs of [0, 300, 1500, 50, 100, 200, 400, 800, 3000].slice(0, countOf({ short: 3, long: 9 }))) {
    const dataDir = temporaryFolder("errand-orphans-");
    const child = startService({ ERRAND_DATA_DIR: dataDir }, () => undefined);
    await expect.poll(() => processesBelow(child.pid ?? 0)).toHaveLength(2);
    const started = processesBelow(child.pid ?? 0);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    child.kill("SIGKILL");
    await expect.poll(() => started.filter(isAlive), { timeout: 60_000 }).toEqual([]);
  }
});

test("a second service on the same data folder is refused in one line, and changes nothing for the first", async ({
  product,
}) => {
  expect(await startAndFail({ ERRAND_DATA_DIR: product.dataDir })).toMatchObject({
    code: 1,
    lines: [`errand: Another Errand is running in ${product.dataDir}: stop it, or choose another ERRAND_DATA_DIR`],
  });
  expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
  expect(await product.cli("doctor").catch((error) => String(error.stdout))).toContain("running (engines: 1)");
});

test.describe("a process of the service that is killed", () => {
  let product: Product;
  test.beforeAll(async () => {
    product = await Product.start();
  });
  test.afterAll(() => product.stop());

  test("a run whose engine is killed ends as interrupted and can be resumed", { tag: "@short" }, async () => {
    const api = await ApiClient.create(product);
    const marker = `errand-kill-${process.pid}-${Date.now()}`;
    const { body: run } = await api.ask("POST", "/agent/run", {
      prompt: `Wait.\n\`\`\`sh\nexec -a ${marker} sleep 600\n\`\`\``,
      agent: "steps",
    });
    await expect.poll(() => processesWith(marker)).toBeGreaterThan(0);
    const engine = (await product.processes()).find(({ name }) => name === "engine");
    if (engine === undefined) throw new Error("There is no engine.");
    process.kill(engine.pid, "SIGKILL");
    const status = async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status;
    // Long before its lease runs out.
    await expect.poll(status, { timeout: 8000, intervals: [50] }).toBe("interrupted");
    await expect.poll(() => processesWith(marker), { timeout: 60_000 }).toBe(0);
    await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: "Go on.\n```sh\necho alive\n```" });
    await expect.poll(status, { timeout: 60_000 }).toBe("completed");
  });

  test("without an engine the service is not ready, and with the next one it is again", async () => {
    const ready = async () => (await fetch(`${product.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    const engine = (await product.processes()).find(({ name }) => name === "engine");
    process.kill(engine?.pid ?? 0, "SIGKILL");
    await expect.poll(ready, { intervals: [20] }).toBe(503);
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  });

  test("a killed web process comes back at its address, and the agent keeps working", async () => {
    const api = await ApiClient.create(product);
    const marker = `errand-web-${process.pid}-${Date.now()}`;
    const { body: run } = await api.ask("POST", "/agent/run", {
      prompt: `Wait.\n\`\`\`sh\nexec -a ${marker} sleep 600\n\`\`\``,
      agent: "steps",
    });
    await expect.poll(() => processesWith(marker)).toBeGreaterThan(0);
    const web = (await product.processes()).find(({ name }) => name === "web");
    if (web === undefined) throw new Error("There is no web process.");
    process.kill(web.pid, "SIGKILL");
    const status = async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status;
    await expect(async () => expect(await status()).toBe("running")).toPass({ timeout: 60_000 });
    expect((await product.processes()).find(({ name }) => name === "web")?.pid).not.toBe(web.pid);
    expect(processesWith(marker)).toBeGreaterThan(0);
  });
});

/** Reads a stream to its end; throws if it is cut off. */
async function drain(stream: AsyncGenerator<unknown>): Promise<void> {
  while ((await stream.next()).done !== true);
}

/** Opens a store's file for as long as `work` takes. */
function withStore(file: string, work: (store: DatabaseSync) => void): void {
  const store = new DatabaseSync(file);
  work(store);
  store.close();
}

/** Starts the product with settings that cannot work. */
function startAndFail(settings: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve) => {
    const child = startService(settings, (stderr) =>
      resolve({ code: child.exitCode, lines: stderr.trim().split("\n") }),
    );
  });
}

function startService(settings: Record<string, string>, onEnd: (stderr: string) => void): ChildProcess {
  const root = join(import.meta.dirname, "..");
  const node = join(root, "node_modules", ".bin", "node");
  const dataDir = temporaryFolder("errand-fail-");
  const env = { ...process.env, NODE_ENV: "production" as const, PORT: "0", ERRAND_DATA_DIR: dataDir, ...settings };
  return execFile(node, [join(root, "lib/cli/main.ts"), "start"], { cwd: root, env }, (_error, _out, stderr) =>
    onEnd(stderr),
  );
}
