import type { Page } from "@playwright/test";
import type { ApiClient } from "../../e2e/api.ts";
import { median } from "../report.ts";
import { Profile, type Tab } from "./chromium.ts";
import type { Bench } from "./measure.ts";
import { heapOf } from "./scrolling.ts";

export type Changes = {
  files: number;
  lines: number;
  /** Time from the press on the run's Changes tab to the first file's lines, and from the beginning of the navigation to them. */
  pressedMs: number;
  openedMs: number;
  /** The longest frame while the list is scrolled, of those in all rounds, and the share of frames over 25 ms, 0..1. */
  longestFrameMs: number;
  slowShare: number;
  heapBytes: number;
};

const fileCount = 5_000;
const lineCount = 200_000;
const scrolledFrames = 600;
const scrolledPx = 300;
const readyMs = 120_000;

/**
 * Opens the changes of a run that wrote 5,000 files with 200,000 lines, in a browser that has been there before: at the run's page by
 * a press on the tab, and by the address. Then scrolls 600 frames by 300 px, once from the top and once from the middle. Heap is read
 * after that, at rest.
 */
export async function measureChanges({
  api,
  cookies,
  rounds,
  trace,
}: Omit<Bench, "growing" | "slowdown">): Promise<Changes> {
  const runId = await makeRun(api);
  const url = new URL(`/runs/${runId}`, trace.url).href;
  const profile = await Profile.open(cookies);
  try {
    const pressed: number[] = [];
    const opened: number[] = [];
    const frames: number[] = [];
    let tab: Tab | null = null;
    for (let round = 0; round <= rounds; round += 1) {
      await tab?.page.close();
      tab = await profile.tab(1);
      const pressedMs = await press(tab.page, url);
      await tab.page.close();
      tab = await profile.tab(1);
      await tab.page.goto(`${url}?tab=changes`);
      const openedMs = await tab.page.evaluate(whenFirstLines);
      for (const from of [0, 0.5]) {
        const stretch = await scroll(tab.page, from);
        if (round > 0) frames.push(...stretch);
      }
      // The first round fills the browser's caches.
      if (round === 0) continue;
      pressed.push(pressedMs);
      opened.push(openedMs);
    }
    if (tab === null) throw new Error("There was no round.");
    return {
      files: fileCount,
      lines: lineCount,
      pressedMs: median(pressed),
      openedMs: median(opened),
      longestFrameMs: Math.max(...frames),
      slowShare: frames.filter((ms) => ms > 25).length / frames.length,
      heapBytes: (await heapOf(tab.cdp)).heapBytes,
    };
  } finally {
    await profile.close();
  }
}

const command = `mkdir -p $(seq -f 'src/part-%g' 0 49); seq 1 ${lineCount} | sed 's/$/ is a line of a file that somebody has to read/' | split -d -a 4 -l ${lineCount / fileCount} - all-; for file in all-*; do n=\${file#all-}; mv $file src/part-$(expr $n % 50)/file-$n.txt; done`;

async function makeRun(api: ApiClient): Promise<number> {
  const prompt = `Write.\n\`\`\`sh\n${command}\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  for (const until = Date.now() + readyMs; Date.now() < until; ) {
    const { status, changes } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
    if (status === "completed") {
      const found = changes as { files: number; insertions: number; truncated: boolean };
      if (found.files !== fileCount || found.insertions !== lineCount || found.truncated)
        throw new Error(`The run has other changes: ${JSON.stringify(found)}`);
      return Number(run.id);
    }
    if (status === "failed") break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error("The run that writes the files did not complete.");
}

async function press(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.evaluate(() => globalThis.probe.hydrated);
  const answer = page.evaluate(() =>
    globalThis.probe.answer(() => document.querySelector('[id^="changed-file-"] [data-row]') !== null),
  );
  await page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Changes" }).click();
  return await answer;
}

function whenFirstLines(): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('[id^="changed-file-"] [data-row]') === null) requestAnimationFrame(look);
      else void scheduler.postTask(() => resolve(performance.now()), { priority: "user-blocking" });
    };
    look();
  });
}

/** Times of the frames, in ms, while the list is scrolled from a part of its height. */
function scroll(page: Page, from: number): Promise<number[]> {
  return page.evaluate(
    ({ from, frames, px }) =>
      new Promise<number[]>((resolve) => {
        const list = document.querySelector('[id^="changed-file-"]')?.closest("[tabindex], .overflow-y-auto");
        if (list === null || list === undefined) throw new Error("There is no list.");
        list.scrollTop = from * list.scrollHeight;
        const times: number[] = [];
        let before = 0;
        const step = (now: number) => {
          if (before > 0) times.push(now - before);
          before = now;
          if (times.length >= frames) {
            resolve(times);
            return;
          }
          list.scrollTop += px;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    { from, frames: scrolledFrames, px: scrolledPx },
  );
}
