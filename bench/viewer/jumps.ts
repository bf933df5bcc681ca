import type { Page } from "@playwright/test";
import { median } from "../report.ts";
import { Profile, type Tab } from "./chromium.ts";
import type { Bench } from "./measure.ts";

/** Medians in milliseconds. */
export type Jumps = { endMs: number; entryMs: number; errorMs: number };

/**
 * Measures from the key or press to the frame that shows the loaded card. To the end: `G` at the beginning of the run. To entry N:
 * Enter in the dialog of `:`. To a marked error: a press on its mark on the map. Each starts from a page at rest, which has loaded
 * the end of the run; the two others go to a place not loaded before (if the run is long enough).
 */
export async function measureJumps(bench: Bench): Promise<Jumps> {
  const { entries } = bench.trace;
  const ends: number[] = [];
  const places: number[] = [];
  const errors: number[] = [];
  const profile = await Profile.open(bench.cookies);
  try {
    // The first round warms up: its figures do not count.
    for (let round = -1; round < bench.rounds; round += 1) {
      const tab = await openAtRest(profile, bench);
      const { page } = tab;
      const endMs = await timed(page, () => page.keyboard.press("G"), entries);

      const share = (round + 1.5) / (bench.rounds + 1);
      const seq = Math.max(1, Math.round(entries * share));
      await page.keyboard.press(":");
      await page.getByRole("dialog").getByRole("textbox").fill(String(seq));
      await atRest(page);
      const entryMs = await timed(page, () => page.keyboard.press("Enter"), seq);

      const marked = await markedError(bench, share * 0.9);
      // While the dialog fades out, it takes the keys.
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("g");
      await page.waitForFunction(() => probe.shown().includes(1));
      await atRest(page);
      const map = await page.getByRole("slider", { name: "Position in the run" }).boundingBox();
      if (map === null) throw new Error("There is no map.");
      const at = { x: map.x + map.width - 6, y: map.y + mapMargin + marked.share * (map.height - 2 * mapMargin) };
      await page.mouse.move(at.x, at.y);
      await atRest(page);
      const errorMs = await timed(page, () => page.mouse.down(), marked.seqs);
      await page.mouse.up();
      await page.close();
      if (round >= 0) {
        ends.push(endMs);
        places.push(entryMs);
        errors.push(errorMs);
      }
    }
  } finally {
    await profile.close();
  }
  return { endMs: median(ends), entryMs: median(places), errorMs: median(errors) };
}

/** The free space above and below the map, in px. */
const mapMargin = 8;
/** Maximum number of parts of the map. */
const mapParts = 240;

/** A new tab with the trace loaded and its map drawn. */
export async function openAtRest(profile: Profile, bench: Bench, query = ""): Promise<Tab> {
  const tab = await profile.tab(bench.slowdown);
  await tab.page.goto(`${bench.trace.url}${query}`, { waitUntil: "networkidle" });
  await tab.page.getByRole("slider", { name: "Position in the run" }).locator("canvas").waitFor();
  await tab.page.evaluate(() => probe.hydrated);
  await atRest(tab.page);
  return tab;
}

/** Resolves when there was no request for half a second and the page is idle. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => setTimeout(() => requestIdleCallback(() => resolve(), { timeout: 1000 }), 400)),
  );
}

/** Time from `act` to the painted card of one of these entries. */
async function timed(page: Page, act: () => Promise<void>, wanted: number | number[]): Promise<number> {
  await page.evaluate((seqs) => {
    const isThere = () => probe.shown().some((seq) => seqs.includes(seq));
    Object.assign(globalThis, { answered: probe.answer(isThere) });
  }, [wanted].flat());
  await act();
  const answered = page.evaluate(() => Reflect.get(globalThis, "answered") as Promise<number>);
  return within(answered, 30_000, `No card of ${[wanted].flat().slice(0, 3).join(", ")} came.`);
}

/** Throws where the work takes longer. */
export async function within<T>(work: Promise<T>, ms: number, message: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(message)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Bucket = { from_seq: number; to_seq: number; first_error_seq: number | null };

/** A mark on the map near a share of the run: where it is drawn, and the errors that a press there may go to. */
async function markedError({ api, trace }: Bench, near: number): Promise<{ share: number; seqs: number[] }> {
  const { body } = await api.ask("GET", `/agent/run/${trace.runId}/logs/outline?buckets=${mapParts}`);
  // The contract defines an outline.
  const buckets = (body.buckets as Bucket[]).filter(({ first_error_seq }) => first_error_seq !== null);
  const at = Math.max(
    0,
    buckets.findIndex(({ from_seq }) => from_seq >= near * trace.entries),
  );
  const bucket = buckets[at];
  if (bucket === undefined) throw new Error("The trace has no errors.");
  return {
    share: (bucket.from_seq - 1 + bucket.to_seq) / 2 / trace.entries,
    seqs: buckets.slice(Math.max(0, at - 2), at + 3).flatMap(({ first_error_seq: seq }) => (seq === null ? [] : [seq])),
  };
}
