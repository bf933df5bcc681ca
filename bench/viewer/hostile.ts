import type { CDPSession, Page } from "@playwright/test";
import type { ApiClient } from "../../e2e/api.ts";
import { entriesWithLong, type ReportedEntry } from "../../e2e/hostile-entries.ts";
import { longPayloads } from "../../e2e/hostile-payloads.ts";
import { median, quantile } from "../report.ts";
import { Profile } from "./chromium.ts";
import { atRest, within } from "./jumps.ts";
import type { Bench } from "./measure.ts";

/** Processor time, in ms, that the page's main thread spent on an entry, beyond that of a plain entry in its place. */
export type Hostile = {
  entries: number;
  medianMs: number;
  p95Ms: number;
  worst: { name: string; ms: number }[];
  plainMs: number;
};

/** Finds the run again in a data folder that is kept. */
const prompt = "A trace of texts that exhaust viewers";
/** Number of plain entries on both sides, so that no two texts are rendered together. */
const between = 10;
const worstShown = 12;
/** A text that seems to cost more than this is measured again in turn with a plain entry near it; the medians count. */
const doubtfulMs = 25;
const timesAgain = 4;

/**
 * Goes by address to each of some 250 entries with one exhausting text in one field, alone among plain ones, and reads the
 * processor time of the page's main thread (not the clock) when the page is at rest again. Subtracts the median of as many plain
 * entries, which is the cost of the navigation and differs from place to place.
 */
export async function measureHostile({
  api,
  trace,
  cookies,
}: Pick<Bench, "api" | "trace" | "cookies">): Promise<Hostile> {
  const texts = longPayloads().flatMap((payload) =>
    entriesWithLong(payload).map((entry) => ({ name: payload.name, entry })),
  );
  const runId = await openRun(
    api,
    texts.map(({ entry }) => entry),
  );
  const profile = await Profile.open(cookies);
  try {
    const { page, cdp } = await profile.tab(1);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const base = new URL(trace.url).origin;
    const plain: number[] = [];
    const costs: { name: string; ms: number; plainMs: number | null }[] = [];
    for (const [index, { name, entry }] of texts.entries()) {
      // A new page now and then, because the cost of earlier texts accumulates in a page.
      if (index % 25 === 0) {
        await page.goto(`${base}/runs/${runId}?entry=1`);
        await page.evaluate(() => probe.hydrated);
        await atRest(page);
        // The first of each kind loads its code.
        for (const kind of [0, 1, 2, 3, 4]) await costOf(page, cdp, seqOf(kind));
      }
      if (index % 5 === 0) plain.push(await costOf(page, cdp, seqOf(index) - between / 2));
      const times = [await costOf(page, cdp, seqOf(index))];
      const near: number[] = [];
      if ((times[0] ?? 0) > median(plain) + doubtfulMs) {
        for (let time = 0; time < timesAgain; time += 1) {
          near.push(await costOf(page, cdp, Math.max(1, seqOf(index) - between / 2 - 2 * (between + 1))));
          times.push(await costOf(page, cdp, seqOf(index)));
        }
      }
      const beside = near.length === 0 ? null : median(near);
      costs.push({ name: `${name}, ${placeOf(entry)}`, ms: median(times), plainMs: beside });
    }
    const plainMs = median(plain);
    const own = costs.map((cost) => ({ name: cost.name, ms: Math.max(0, cost.ms - (cost.plainMs ?? plainMs)) }));
    return {
      entries: own.length,
      medianMs: median(own.map(({ ms }) => ms)),
      p95Ms: quantile(
        own.map(({ ms }) => ms),
        0.95,
      ),
      worst: own.toSorted((one, other) => other.ms - one.ms).slice(0, worstShown),
      plainMs,
    };
  } finally {
    await profile.close();
  }
}

/** The seq of a text: after its plain entries. */
function seqOf(index: number): number {
  return (index + 1) * (between + 1);
}

function placeOf({ message_type, tool_name }: ReportedEntry): string {
  return message_type === "ACTION" ? String(tool_name) : message_type;
}

async function costOf(page: Page, cdp: CDPSession, seq: number): Promise<number> {
  const before = await taskMs(cdp);
  const shown = page.evaluate(async (wanted) => {
    history.pushState(null, "", `?entry=${wanted}`);
    while (!probe.shown().includes(wanted)) await new Promise((resolve) => setTimeout(resolve, 50));
  }, seq);
  await within(shown, 30_000, `Entry ${seq} did not come.`);
  await atRest(page);
  return (await taskMs(cdp)) - before;
}

async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

async function openRun(api: ApiClient, hostile: readonly ReportedEntry[]): Promise<number> {
  const { body } = await api.ask("GET", "/agent/runs?limit=100");
  // The contract defines a page of runs.
  const known = (body.items as { id: number; prompt: string; status: string }[]).find(
    (run) => run.prompt === prompt && run.status === "completed",
  );
  if (known !== undefined) return known.id;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  const path = `/agent/run/${run.id}`;
  for (const entry of hostile) {
    const { status, body: answer } = await api.ask("POST", `${path}/logs`, { entries: [...plainEntries, entry] });
    if (status !== 200) throw new Error(`The entries were refused: ${JSON.stringify(answer).slice(0, 300)}`);
  }
  await api.ask("POST", `${path}/logs`, { entries: plainEntries });
  await api.ask("PATCH", path, { status: "completed" });
  return Number(run.id);
}

const plainEntries: ReportedEntry[] = Array.from({ length: between }, (_, number) => ({
  message_type: "ACTION",
  tool_name: "Bash",
  tool_input: { command: `step ${number}` },
  tool_output: { exit_code: 0, output: "merged the parser session in 231 ms\n".repeat(9) },
}));
