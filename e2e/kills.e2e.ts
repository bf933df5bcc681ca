import { setTimeout as delay } from "node:timers/promises";
import { countOf } from "#lib/test-counts.fixture.ts";
import { Ledger } from "./ledger.ts";
import { processesWith } from "./processes.ts";
import { Product } from "./product.ts";
import { expect, test } from "./test.ts";

/** Processes of the service to kill, in turns. Killing the supervisor stops the service, which is then started again. */
const victims = [["engine"], ["web"], ["web", "engine"], ["supervisor"]] as const;
const kills = countOf({ short: 4, long: 300 });
const writers = 4;
/** Number of agents at work at a time. */
const agents = 2;

const settings = {
  ERRAND_CONCURRENCY: String(agents),
  ERRAND_RATE_STANDARD: "0",
  ERRAND_RATE_LOGS: "0",
  ERRAND_RATE_INGEST: "0",
  ERRAND_RATE_CREATE: "0",
};

/** The service on one data folder, across kills of its processes. */
class Killed {
  readonly #products: Product[] = [];
  token = "";

  get now(): Product {
    const product = this.#products.at(-1);
    if (product === undefined) throw new Error("The service was not started.");
    return product;
  }

  async start(): Promise<void> {
    const first = this.#products[0];
    const folder: Record<string, string> = first === undefined ? {} : { ERRAND_DATA_DIR: first.dataDir };
    // The processes of a killed supervisor end by themselves, and hold the folder until then.
    for (const endsAt = Date.now() + 30_000; ; await delay(100)) {
      try {
        this.#products.push(await Product.start({ ...settings, ...folder }));
        break;
      } catch (error) {
        if (Date.now() > endsAt || !String(error).includes("ended at its start")) throw error;
      }
    }
    if (this.token === "") this.token = await this.now.cli("token", "create", "--name", "ledger", "--role", "owner");
  }

  async kill(names: readonly string[]): Promise<void> {
    const found = (await this.now.processes()).filter(({ name }) => names.includes(name));
    expect(found).toHaveLength(names.length);
    for (const { pid } of found) process.kill(pid, "SIGKILL");
    if (names.includes("supervisor")) await this.start();
  }

  async untilReady(): Promise<void> {
    const status = () =>
      fetch(`${this.now.url}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(status, { timeout: 60_000, intervals: [20] }).toBe(200);
  }

  async stop(): Promise<void> {
    for (const product of this.#products.toReversed()) await product.stop();
  }
}

test("whatever is killed under load, nothing that was acknowledged is lost, doubled or out of order", async () => {
  test.setTimeout(120_000 + kills * 20_000);
  const service = new Killed();
  await service.start();
  const ledger = new Ledger(() => ({ url: service.now.url, token: service.token }));
  const marker = `errand-kills-${process.pid}-${Date.now()}`;
  const prompt = `Work.\n\`\`\`sh\necho begun\n\`\`\`\n\`\`\`sh\nexec -a ${marker} sleep 600\n\`\`\``;
  const stopped = new AbortController();
  try {
    const external = await Promise.all(
      Array.from({ length: writers }, (_, at) => ledger.create({ prompt: `Written by ${at}`, agent: "external" })),
    );
    const load = external.map(async (runId) => {
      for (let count = 0; !stopped.signal.aborted; count += 1) {
        await ledger.append(runId, [`${runId} ${count} a`, `${runId} ${count} b`, `${runId} ${count} c`]);
        await delay(10);
      }
    });
    const runOf = (id: number) => ledger.ask("GET", `/agent/run/${id}`);
    const isAtWork = ({ status, total_logs }: Record<string, unknown>) =>
      status === "running" && Number(total_logs) > 1;
    let working: number[] = [];
    const seen = new Map<number, unknown>();
    const settledMs: number[] = [];
    const ended: number[] = [];

    for (let round = 0; round < kills; round += 1) {
      await service.untilReady();
      while (working.length < agents) working.push(await ledger.create({ prompt, agent: "steps" }));
      for (const id of working) {
        await expect.poll(async () => isAtWork(await runOf(id)), { timeout: 60_000, intervals: [50] }).toBe(true);
        seen.set(id, (await ledger.readAll(id)).slice(0, 2));
      }
      await delay(Math.random() * 300);
      const names = victims[round % victims.length] ?? [];
      const killedAt = Date.now();
      await service.kill(names);
      if (names.join() === "web") {
        for (const id of working) expect(await runOf(id)).toMatchObject({ status: "running" });
        continue;
      }
      for (const id of working) {
        const status = async () => (await runOf(id)).status;
        await expect.poll(status, { timeout: 60_000, intervals: [20] }).toBe("interrupted");
        if (names.join() === "engine") settledMs.push(Date.now() - killedAt);
      }
      ended.push(...working);
      working = [];
    }
    await service.untilReady();
    stopped.abort();
    await Promise.all(load);

    for (const runId of external) {
      const logs = await ledger.readAll(runId);
      expect(logs.map(({ seq }) => seq)).toEqual(logs.map((_, at) => at + 1));
      const actions = logs.filter(({ message_type }) => message_type === "ACTION");
      expect(actions.map(({ tool_output }) => Object(tool_output).output)).toEqual(ledger.appended.get(runId));
    }
    for (const runId of ended) {
      const logs = await ledger.readAll(runId);
      expect(logs.map(({ seq }) => seq)).toEqual(logs.map((_, at) => at + 1));
      expect(logs.slice(0, 2), "what a client has read once stays").toEqual(seen.get(runId));
      expect((await runOf(runId)).total_logs).toBe(logs.length);
      expect(logs.at(-1)?.message_type, "its closing entry").not.toBe("ACTION");
    }
    const listed: number[] = [];
    for (let skip = 0; listed.length === skip; skip += 100) {
      const { items } = await ledger.ask("GET", `/agent/runs?skip=${skip}&limit=100`);
      listed.push(...(items as { id: number }[]).map(({ id }) => id));
    }
    expect(listed.toSorted((a, b) => a - b)).toEqual(ledger.created.toSorted((a, b) => a - b));
    for (const id of working) await ledger.ask("POST", `/agent/run/${id}/cancel`);
    await expect.poll(() => processesWith(marker), { timeout: 12_000 }).toBe(0);

    const sorted = settledMs.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
    const entries = [...ledger.appended.values()].flat().length;
    const settled = `runs of a killed engine settled after ${at(0.5)} ms (p50), ${at(0.99)} ms (p99)`;
    process.stdout.write(
      `${kills} kills, ${entries} entries and ${ledger.created.length} runs acknowledged, ${ledger.unanswered} requests without an answer; ${settled}\n`,
    );
  } finally {
    stopped.abort();
    await service.stop();
  }
});
