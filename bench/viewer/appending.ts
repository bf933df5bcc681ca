import { setTimeout as wait } from "node:timers/promises";
import { median, quantile } from "../report.ts";
import { Profile } from "./chromium.ts";
import { atRest } from "./jumps.ts";
import type { Bench } from "./measure.ts";

export type Appending = { p95Ms: number; p50Ms: number; entries: number };

const perSecond = 50;
/** Entries per round. */
const entriesOfRound = 250;
const output = "2026-01-05T09:12:31 INFO merge the parser session in 231 ms\n".repeat(40);

/**
 * Resumes the trace and reports one entry of 2.5 KB to it 50 times a second by POST logs. Measures from just before the request to
 * the frame with its card on a page that follows the end; both use the machine's clock.
 */
export async function measureAppending(bench: Bench): Promise<Appending> {
  const { api, growing: trace } = bench;
  const run = `/agent/run/${trace.runId}`;
  const prompt = "Go on: the viewer is being measured.";
  const resumed = await api.ask("POST", "/agent/run/resume", { agent_run_id: trace.runId, prompt });
  if (resumed.status >= 300) throw new Error(`The run was not resumed: ${JSON.stringify(resumed.body)}`);
  const profile = await Profile.open(bench.cookies);
  const rounds: number[][] = [];
  try {
    const { page } = await profile.tab(bench.slowdown);
    await page.goto(trace.url);
    await page.evaluate(() => probe.hydrated);
    await atRest(page);
    for (let round = -1; round < bench.rounds; round += 1) {
      await page.evaluate(watchCards);
      const sent = await feed(bench, run);
      // The last cards are still to come; one that has not come after this counts as this late.
      await wait(1500);
      const painted = new Map(await page.evaluate(() => Reflect.get(globalThis, "painted") as [number, number][]));
      if (round < 0) continue;
      rounds.push([...sent].map(([seq, atMs]) => (painted.get(seq) ?? Date.now()) - atMs));
    }
  } finally {
    await api.ask("PATCH", run, { status: "completed" });
    await profile.close();
  }
  return {
    p95Ms: median(rounds.map((latencies) => quantile(latencies, 0.95))),
    p50Ms: median(rounds.map((latencies) => quantile(latencies, 0.5))),
    entries: entriesOfRound * bench.rounds,
  };
}

/** Sends at a fixed pace, without waiting for answers. Returns when each seq was sent. */
async function feed({ api }: Bench, run: string): Promise<Map<number, number>> {
  const sent = new Map<number, number>();
  const answers: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let number = 0; number < entriesOfRound; number += 1) {
    await wait(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    const atMs = Date.now();
    const tool_output = { status: "completed", exit_code: 0, output, duration_ms: 12 };
    const entry = {
      message_type: "ACTION",
      tool_name: "shell",
      tool_input: { command: `step ${number}` },
      tool_output,
    };
    answers.push(
      api.ask("POST", `${run}/logs`, { entries: [entry] }).then(({ status, body }) => {
        if (status >= 300) throw new Error(`An entry was refused: ${JSON.stringify(body)}`);
        sent.set(Number(body.first_seq), atMs);
      }),
    );
  }
  await Promise.all(answers);
  return sent;
}

/**
 * Runs in the page: notes when each new card was painted, by the machine's clock. It checks in the first task after each frame,
 * so it sees that frame.
 */
function watchCards(): void {
  const painted: [seq: number, atMs: number][] = [];
  Object.assign(globalThis, { painted });
  // Only the last item: checking all of them would cost more than what is measured.
  const newest = () => {
    const last = document.querySelector("[role=feed]")?.lastElementChild;
    const card = last?.matches("[data-seq][tabindex]") ? last : last?.querySelector("[data-seq][tabindex]");
    return card instanceof HTMLElement ? Number(card.dataset.seq) : 0;
  };
  let known = newest();
  const note = () => {
    const last = newest();
    const now = Date.now();
    for (let seq = known + 1; seq <= last; seq += 1) painted.push([seq, now]);
    known = Math.max(known, last);
  };
  const look = () => {
    // Another round has begun.
    if (Reflect.get(globalThis, "painted") !== painted) return;
    void scheduler.postTask(note, { priority: "user-blocking" });
    requestAnimationFrame(look);
  };
  look();
}
