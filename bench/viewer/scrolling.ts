import type { CDPSession, Page } from "@playwright/test";
import { median } from "../report.ts";
import { Profile } from "./chromium.ts";
import { atRest, openAtRest } from "./jumps.ts";
import type { Bench } from "./measure.ts";

export type Scrolling = {
  entriesPassed: number;
  /** Memory of objects after garbage collection, without array buffers (typed arrays), and that of array buffers. */
  heapBytes: number;
  bufferBytes: number;
  /** Greatest number of nodes of all kinds seen in the document. */
  nodesMax: number;
  /** Share of frames that took more than 25 ms, 0..1, of the viewer and of an empty page in the same browser. */
  slowShare: number;
  emptySlowShare: number;
  frames: number;
};

/** With four times less processor fewer entries are enough. */
const entriesOf = (slowdown: number) => (slowdown === 1 ? 5000 : 1000);
const timedFrames = 600;
const timedPx = 300;
/** Scroll step for the rest of the way, in px: small enough for every card to be loaded and rendered. */
const restPx = 900;
/** Upper bound of frames in one scroll. */
const framesMax = 12_000;

/**
 * In each round, times 600 frames while the page scrolls by 300 px per frame, then does the same with an empty page of the same
 * browser. The rest of the way to 5,000 entries (back and forth if the run has fewer) is faster and not timed. The time of a frame
 * is between the beginnings of two (requestAnimationFrame). Heap and nodes are read at the end, at rest.
 */
export async function measureScrolling(bench: Bench): Promise<Scrolling> {
  const profile = await Profile.open(bench.cookies);
  try {
    const viewer = await openAtRest(profile, bench);
    const empty = await profile.tab(bench.slowdown);
    await empty.page.setContent(emptyPage);
    const stretches: Stretch[] = [];
    const emptyStretches: Stretch[] = [];
    const share = entriesOf(bench.slowdown) / bench.rounds;
    let passed = 0;
    let nodesMax = 0;
    for (let round = 0; round < bench.rounds; round += 1) {
      await viewer.page.bringToFront();
      await atRest(viewer.page);
      const timed = await scroll(viewer.page, { entries: Number.POSITIVE_INFINITY, frames: timedFrames, px: timedPx });
      const rest = await scroll(viewer.page, { entries: share - timed.entries, frames: framesMax, px: restPx });
      passed += timed.entries + rest.entries;
      nodesMax = Math.max(nodesMax, timed.nodes, rest.nodes);
      stretches.push(timed);
      await empty.page.bringToFront();
      emptyStretches.push(
        await scroll(empty.page, { entries: Number.POSITIVE_INFINITY, frames: timedFrames / 2, px: timedPx }),
      );
    }
    await viewer.page.bringToFront();
    await atRest(viewer.page);
    const shareOf = (list: Stretch[]) => median(list.map(({ slow, frames }) => slow / frames));
    return {
      ...(await heapOf(viewer.cdp)),
      entriesPassed: passed,
      nodesMax,
      slowShare: shareOf(stretches),
      emptySlowShare: shareOf(emptyStretches),
      frames: stretches.reduce((sum, { frames }) => sum + frames, 0),
    };
  } finally {
    await profile.close();
  }
}

const emptyPage = `<div id="list" tabindex="0" style="height: 800px; overflow-y: auto"><div role="feed" style="height: 8000000px"></div></div>`;

/** Memory of a page after garbage collection: of its objects, and of array buffers. */
export async function heapOf(cdp: CDPSession): Promise<{ heapBytes: number; bufferBytes: number }> {
  await cdp.send("HeapProfiler.enable");
  // The first collection frees what only finalizers held.
  for (let time = 0; time < 2; time += 1) await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize, backingStorageSize } = await cdp.send("Runtime.getHeapUsage");
  return { heapBytes: usedSize, bufferBytes: backingStorageSize };
}

type Stretch = { entries: number; frames: number; slow: number; nodes: number };

function scroll(page: Page, way: { entries: number; frames: number; px: number }): Promise<Stretch> {
  return page.evaluate(
    ({ entries, frames, px }) =>
      new Promise<Stretch>((resolve) => {
        const list = document.querySelector("[role=feed]")?.closest("[tabindex]");
        if (list === null || list === undefined) throw new Error("There is no list.");
        const walked: Stretch = { entries: 0, frames: 0, slow: 0, nodes: 0 };
        let direction = 1;
        let top = list.scrollTop;
        let seq = 0;
        let before = 0;
        const step = (now: number) => {
          if (before > 0) {
            walked.frames += 1;
            if (now - before > 25) walked.slow += 1;
          }
          before = now;
          // Only every tenth frame, because counting takes time too.
          if (walked.frames % 10 === 0) {
            const cards = document.querySelectorAll<HTMLElement>("[data-seq]");
            const here = Number(cards[cards.length >> 1]?.dataset.seq ?? 0);
            if (seq > 0) walked.entries += Math.abs(here - seq);
            seq = here;
            if (walked.frames % 100 === 0) {
              const all = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
              let nodes = 1;
              while (all.nextNode() !== null) nodes += 1;
              walked.nodes = Math.max(walked.nodes, nodes);
            }
          }
          if (walked.entries >= entries || walked.frames >= frames) {
            resolve(walked);
            return;
          }
          list.scrollTop += direction * px;
          if (list.scrollTop === top) direction = -direction;
          top = list.scrollTop;
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    way,
  );
}
