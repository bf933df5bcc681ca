import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ApiClient } from "../e2e/api.ts";
import { Product } from "../e2e/product.ts";
import { print, quantile } from "./report.ts";

/** Enough for several echoes to run beside them. */
const turns = 5;

/** Cost of an agent that sends 100,000 small pieces, for its neighbors and in the engine's memory. */
export async function benchChatty(): Promise<void> {
  const command = [process.execPath, join(import.meta.dirname, "chatty-agent.ts")];
  const product = await Product.start({ ERRAND_CONCURRENCY: "4" }, { chatty: { command, title: "Chatty agent" } });
  try {
    const api = await ApiClient.create(product);
    const engine = (await product.processes()).find(({ name }) => name === "engine")?.pid ?? 0;
    const create = async (agent: string, prompt: string) =>
      Number((await api.ask("POST", "/agent/run", { agent, prompt })).body.id);
    const isAtWork = async (run: number) =>
      ["queued", "running"].includes(String((await api.ask("GET", `/agent/run/${run}`)).body.status));
    const echo = async () => {
      const startedAt = performance.now();
      const run = await create("steps", "```sh\necho hello\n```");
      while (await isAtWork(run)) await wait(20);
      return performance.now() - startedAt;
    };
    await echo();
    const alone: number[] = [];
    for (let count = 0; count < 5; count += 1) alone.push(await echo());
    const before = await megabytes(engine);

    const beside: number[] = [];
    let most = before;
    let isTalking = true;
    const talk = async () => {
      const startedAt = performance.now();
      for (let count = 0; count < turns; count += 1) {
        const chatty = await create("chatty", "Talk");
        while (await isAtWork(chatty)) {
          most = Math.max(most, await megabytes(engine));
          await wait(100);
        }
      }
      isTalking = false;
      return (performance.now() - startedAt) / turns;
    };
    const talked = talk();
    while (isTalking) beside.push(await echo());
    const tookMs = await talked;
    await wait(10_000);
    print("Chatty: an agent that says one message in 100,000 pieces, beside runs of one echo", [
      ["its turn", `${(tookMs / 1000).toFixed(1)} s`],
      ["echo alone, median", `${quantile(alone, 0.5).toFixed(0)} ms`],
      ["echo beside it, median", `${quantile(beside, 0.5).toFixed(0)} ms (${beside.length})`],
      ["neighbors", `${(quantile(beside, 0.5) / quantile(alone, 0.5)).toFixed(2)}x`],
      ["engine's memory before", `${before.toFixed(0)} MB`],
      ["most", `+${(most - before).toFixed(0)} MB`],
      ["10 s later", `+${((await megabytes(engine)) - before).toFixed(0)} MB`],
    ]);
  } finally {
    await product.stop();
  }
}

/** Resident memory of a process. */
async function megabytes(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}
