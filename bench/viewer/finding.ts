import { setTimeout as wait } from "node:timers/promises";
import { median } from "../report.ts";
import { Profile } from "./chromium.ts";
import { atRest, openAtRest, within } from "./jumps.ts";
import type { Bench } from "./measure.ts";

/** Medians in milliseconds: until a hit is shown, and until the bar says how many there are in the whole run. */
export type Finding = { rare: Found; common: Found; phrase: Found };

type Found = { firstMs: number; countMs: number };

/** Words in most entries of a trace, a different one each round, so that no answer is cached. */
const commonWords = [
  ...["lease", "cursor", "merge", "retry", "window", "schema"],
  ...["parser", "worker", "thread", "token", "buffer", "commit"],
];
/** Verbs of a phrase that is in the code of many entries and whose every word is in most. */
const commonVerbs = [
  ...["merge", "retry", "search", "renew", "append", "collect"],
  ...["follow", "report", "drop", "reset", "send", "start"],
];

/**
 * Presses Ctrl+F and pastes the text. Measures from that input to the frame that shows a loaded card with the text and `1 / …` in
 * the bar, and to the frame in which the bar has the count of the whole run. The rare text is in one entry, the common one in
 * most, and so is each word of the phrase. The run is indexed before.
 */
export async function measureFinding(bench: Bench): Promise<Finding> {
  await untilIndexed(bench);
  const [rare, common, phrase]: [Found[], Found[], Found[]] = [[], [], []];
  const profile = await Profile.open(bench.cookies);
  try {
    // The first round warms up: its figures do not count.
    for (let round = -1; round < bench.rounds; round += 1) {
      const tries = (bench.slowdown > 1 ? bench.rounds + 1 : 0) + round + 1;
      const texts = [
        await rareText(bench, (round + 1.7) / (bench.rounds + 2)),
        commonWords[tries % commonWords.length] ?? "lease",
        `may ${commonVerbs[tries % commonVerbs.length] ?? "merge"} only once, for`,
      ];
      for (const [place, kind] of [rare, common, phrase].entries()) {
        const found = await find(profile, bench, texts[place] ?? "");
        if (round >= 0) kind.push(found);
      }
    }
  } finally {
    await profile.close();
  }
  return { rare: medianOf(rare), common: medianOf(common), phrase: medianOf(phrase) };
}

function medianOf(found: readonly Found[]): Found {
  return { firstMs: median(found.map(({ firstMs }) => firstMs)), countMs: median(found.map(({ countMs }) => countMs)) };
}

async function find(profile: Profile, bench: Bench, text: string): Promise<Found> {
  const { page } = await openAtRest(profile, bench);
  await page.keyboard.press("Control+f");
  await page
    .getByRole("searchbox", { name: "Find in this run" })
    .or(page.getByLabel("Find in this run"))
    .first()
    .focus();
  await atRest(page);
  await page.evaluate((needle) => {
    const bar = () => document.querySelector("[data-finder=run]")?.textContent ?? "";
    const isFirst = () =>
      /\d \/ [\d,]/.test(bar()) &&
      probe.shown().some((seq) => {
        const card = document.querySelector(`[data-seq="${seq}"]`);
        return card?.textContent?.toLowerCase().includes(needle) ?? false;
      });
    const isCounted = () => /occurrences? in /.test(bar()) && !bar().includes("% searched");
    Object.assign(globalThis, { found: Promise.all([probe.answer(isFirst), probe.answer(isCounted)]) });
  }, text);
  await page.keyboard.insertText(text);
  const found = page.evaluate(() => Reflect.get(globalThis, "found") as Promise<number[]>);
  const [firstMs = 0, countMs = 0] = await within(found, 60_000, `"${text}" was not found.`);
  await page.close();
  return { firstMs, countMs };
}

type Entry = { seq: number; tool_name: string | null; tool_input: { command?: string } | null };

/** A text that occurs only in the command of one entry, near a share of the run. */
async function rareText({ api, trace, slowdown }: Bench, share: number): Promise<string> {
  const skip = Math.floor(trace.entries * Math.min(0.95, share)) + slowdown;
  const { body } = await api.ask(
    "GET",
    `/agent/run/${trace.runId}/logs?skip=${Math.min(skip, trace.entries - 60)}&limit=50&clip=500`,
  );
  // The contract defines a page of entries.
  for (const { tool_input } of body.logs as Entry[]) {
    const step = /--step \d{2,}$/.exec(tool_input?.command ?? "")?.[0];
    if (step !== undefined) return step;
  }
  throw new Error(`There is no command after entry ${skip}.`);
}

/** Waits until the run is indexed, as a run that somebody searches normally is. Its newest part may stay open. */
async function untilIndexed({ api, trace }: Bench): Promise<void> {
  let before = -1;
  for (let still = 0; still < 5; ) {
    const { body } = await api.ask("GET", `/agent/run/${trace.runId}/logs/search?q=needle-end&limit=1&wait_ms=0`);
    const [indexed, total] = [Number(body.indexed_logs), Number(body.total_logs)];
    if (indexed >= total) return;
    if (before === -1) process.stderr.write(`bench:viewer: waiting for the index (${indexed} of ${total}) …\n`);
    still = indexed === before ? still + 1 : 0;
    before = indexed;
    await wait(2000);
  }
  process.stderr.write(`bench:viewer: the index rests at ${before} entries; measuring so\n`);
}
