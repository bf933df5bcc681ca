import { join } from "node:path";
import { ApiClient } from "./api.ts";
import { processesWith } from "./processes.ts";
import { Product } from "./product.ts";
import { expect, test } from "./test.ts";

const root = join(import.meta.dirname, "..");
const node = join(root, "node_modules", ".bin", "node");
const mark = `errand-misbehaving-${process.pid}-${Date.now()}`;
const command = (manner: string) => [node, join(root, "e2e", "agents", "misbehaving.ts"), manner, mark];

/** Expected end of each run: its status, and the type and code of its last entry. */
const ends: Record<string, [status: string, last: string, code?: unknown]> = {
  "silent-in-turn": ["timed_out", "ERROR", "inactivity_timeout"],
  garbage: ["failed", "ERROR", "agent_start_timeout"],
  silent: ["failed", "ERROR", "agent_start_timeout"],
  dies: ["failed", "ERROR", "agent_exited"],
  "refuses-session": ["failed", "ERROR", "sign_in_needed"],
  "exits-in-turn": ["failed", "ERROR", "agent_exited"],
  "huge-line": ["failed", "ERROR", "message_too_large"],
  "odd-stop": ["failed", "ERROR", "unknown_stop_reason"],
  refuses: ["failed", "ERROR", "refusal"],
  "huge-output": ["completed", "FINAL_ANSWER"],
  floods: ["completed", "FINAL_ANSWER"],
  "floods-tools": ["completed", "FINAL_ANSWER"],
  "wrong-shapes": ["completed", "FINAL_ANSWER"],
};

// Its longest waits (10 s to start, 20 s of silence, 10 s of grace) run in parallel with the others.
test("whatever an agent does, its run ends truthfully and every other run continues", async () => {
  // The first agent is asked for its version while the others start.
  const agents = Object.fromEntries(
    ["silent", ...Object.keys(ends), "ignores-cancel"].map((id) => [id, { command: command(id) }]),
  );
  Object.assign(agents, { missing: { command: ["/no/such/agent"] } });
  const settings = {
    ERRAND_CONCURRENCY: "5",
    ERRAND_AGENT_START_SECONDS: "10",
    ERRAND_AGENT_INACTIVITY_SECONDS: "20",
    // Nobody is kept after a turn: what is left at the end would have escaped.
    ERRAND_AGENT_WARM_SECONDS: "0",
  };
  const product = await Product.start(settings, agents);
  try {
    const api = await ApiClient.create(product);
    const processes = await product.processes();
    const start = async (agent: string, prompt = "Do it") => {
      const { status, body } = await api.ask("POST", "/agent/run", { prompt, agent });
      expect(status, JSON.stringify(body)).toBe(200);
      return Number(body.id);
    };
    const find = async (id: number) => (await api.ask("GET", `/agent/run/${id}`)).body;
    const lastOf = async (id: number) =>
      ((await api.ask("GET", `/agent/run/${id}/logs?reverse=true&limit=1`)).body.logs as Record<string, unknown>[])[0];

    expect((await api.ask("POST", "/agent/run", { prompt: "Do it", agent: "missing" })).body).toMatchObject({
      status: 400,
      errors: [{ loc: ["body", "agent"], msg: expect.stringContaining("not installed") }],
    });
    const deaf = await start("ignores-cancel");
    await expect.poll(() => processesWith(mark)).toBeGreaterThan(0);
    expect((await api.ask("POST", `/agent/run/${deaf}/cancel`)).status).toBe(200);
    const runs = await Promise.all(Object.keys(ends).map(async (manner) => [manner, await start(manner)] as const));
    const other = await start("steps", "Work.\n```sh\necho beside them\n```");

    for (const [manner, id] of [...runs, ["steps", other], ["ignores-cancel", deaf]] as const) {
      await expect.poll(async () => (await find(id)).finished_at, { timeout: 120_000, message: manner }).not.toBeNull();
    }
    for (const [manner, id] of runs) {
      const [status, type, code] = ends[manner] ?? [];
      const last = await lastOf(id);
      expect([manner, (await find(id)).status, last?.message_type]).toEqual([manner, status, type]);
      if (code !== undefined) expect(last?.observation, manner).toMatchObject({ code });
    }
    expect((await find(other)).status).toBe("completed");
    expect((await find(deaf)).status).toBe("cancelled");
    expect(await lastOf(deaf)).toMatchObject({ message_type: "USER_MESSAGE", observation: { kind: "interruption" } });
    expect(processesWith(mark)).toBe(0);
    expect(await product.processes()).toEqual(processes);
  } finally {
    await product.stop();
  }
});
