import { windowSize } from "#components/trace/reader/log-windows.ts";
import { expect, largeTraceEntries, test } from "./test.ts";

test("steps are shown as single lines during fast scrolling, and as cards once the list is at rest", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`, { waitUntil: "networkidle" });
  await expect(page.locator('article[data-seq="1"][tabindex]')).toBeVisible();

  // The first windows have been passed by then: named steps were loaded on the way, without a pause.
  const seen = await page.evaluate(scrollWithoutPause, { frames: 1500, px: 300, named: { from: 51, count: 11 } });
  expect(seen.named.filter((seq) => seq > 50).length).toBeGreaterThan(10);
  // Estimated heights were not smaller than those of steps.
  expect(seen.lastSeq).toBeLessThan((seen.frames * 300) / 60);
  await expect(page.locator("[role=feed] [data-placeholder]")).toHaveCount(0);
  // Cards are taller than their lines, but have not moved the step being read (or else the first one) out of view.
  await expect.poll(() => page.evaluate(seqsInView)).toContain(seen.keptSeq);

  // With slow scrolling, no card is seen appearing.
  const slow = await page.evaluate(scrollWithoutPause, { frames: 60, px: 20 });
  expect(slow.standInsInView).toBe(0);
});

test("a jump shows the step, then the rest of the view around it, and removes the old items", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  const isOfEnd = (url: string) => url.includes(`skip=${largeTraceEntries - windowSize}&`);
  // Loaded when the page is idle, which on a busy machine it is not for seconds.
  const endLoaded = page.waitForResponse((response) => isOfEnd(response.url()));
  await page.goto(`${product.url}/runs/${runId}?entry=2`, { waitUntil: "networkidle" });
  await (await endLoaded).finished();
  const cardOf = (seq: number) => page.locator(`article[data-seq="${seq}"][tabindex]`);
  await expect(cardOf(2)).toBeVisible();
  await cardOf(2).focus();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.keyboard.press("Shift+G");
  await expect(cardOf(largeTraceEntries)).toBeFocused();
  expect(asked.filter(isOfEnd)).toEqual([]);
  await expect(cardOf(2)).toHaveCount(0);
  await expect.poll(() => page.evaluate(emptyPx)).toBe(0);

  // A reader who turns back at once finds the old items.
  await page.evaluate(() => {
    const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("g");
    requestAnimationFrame(() => {
      press("G");
      requestAnimationFrame(() => press("g"));
    });
  });
  await expect(cardOf(1)).toBeVisible();
  await expect(cardOf(2)).toBeVisible();
  await expect(cardOf(largeTraceEntries)).toHaveCount(0);
  await expect.poll(() => page.evaluate(emptyPx)).toBe(0);

  for (const seq of [7_777, 22_222]) {
    await page.keyboard.press(":");
    await page.getByRole("dialog").getByRole("textbox").fill(String(seq));
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(seqsInView).then((seqs) => seqs.includes(seq))).toBe(true);
    await expect.poll(() => page.evaluate(emptyPx)).toBe(0);
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await expect(page.locator("[role=feed] > [style*='display']")).toHaveCount(0);
});

/** Runs in the page: the height in px, at the top and bottom of the list's view, that no step covers. */
function emptyPx(): number {
  const view = document.querySelector("[role=feed]")?.closest("[tabindex]")?.getBoundingClientRect() ?? new DOMRect();
  const boxes = [...document.querySelectorAll("[role=feed] > *")]
    .filter((item) => item.querySelector("[data-placeholder]") === null && !item.matches("[data-placeholder]"))
    .map((item) => item.getBoundingClientRect())
    .filter(({ height }) => height > 0);
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  // The list begins with the prompt and ends with the run's end.
  const below =
    boxes.length > 0 && document.querySelector(`article[data-seq="30000"]`) !== null ? 0 : view.bottom - bottom;
  const above = document.querySelector('article[data-seq="1"]') === null ? top - view.top : 0;
  return Math.round(Math.max(0, above) + Math.max(0, below));
}

type Scrolling = {
  /** Maximum number of scroll steps, one per frame. */
  frames: number;
  px: number;
  /** Stop when this many steps from `from` on have been named. */
  named?: { from: number; count: number };
};

type Seen = {
  /** Number of scroll steps made. */
  frames: number;
  /** The steps shown by a line with their name during scrolling. */
  named: number[];
  /** Of the steps in view at the end, the first one shown as a card, or else the first one. */
  keptSeq: number;
  /** The last step in view at the end. */
  lastSeq: number;
  /** Greatest number of placeholders in view in one frame. */
  standInsInView: number;
};

/** Runs in the page: the steps in view, by their cards or by the line of their group. */
function seqsInView(): number[] {
  const list = document.querySelector("[role=feed]")?.closest("[tabindex]");
  const view = list?.getBoundingClientRect() ?? new DOMRect();
  return [...document.querySelectorAll<HTMLElement>("[role=feed] [data-seq][tabindex]")].flatMap((step) => {
    const { top, bottom } = step.getBoundingClientRect();
    if (bottom <= view.top || top >= view.bottom) return [];
    const first = Number(step.dataset.seq);
    const last = /^Steps \d+ to (\d+)/.exec(step.ariaLabel ?? "")?.[1] ?? first;
    return Array.from({ length: Number(last) - first + 1 }, (_, place) => first + place);
  });
}

/** Runs in the page: scrolls down in every frame, like dragging the thumb. */
function scrollWithoutPause({ frames, px, named: wanted }: Scrolling): Promise<Seen> {
  const list = document.querySelector("[role=feed]")?.closest("[tabindex]");
  if (list === null || list === undefined) throw new Error("There is no list.");
  const named = new Set<number>();
  let standInsInView = 0;
  let [keptSeq, lastSeq] = [0, 0];
  return new Promise((resolve) => {
    const step = (frame: number) => {
      const view = list.getBoundingClientRect();
      let standIns = 0;
      let isKeptCard = false;
      keptSeq = 0;
      for (const step of list.querySelectorAll<HTMLElement>("article[data-seq]")) {
        const { top, bottom } = step.getBoundingClientRect();
        if (bottom <= view.top || top >= view.bottom) continue;
        const seq = Number(step.dataset.seq);
        lastSeq = seq;
        const isCard = step.dataset.placeholder === undefined;
        // A step almost out of view does not count.
        if (bottom > view.top + 4 && (keptSeq === 0 || (isCard && !isKeptCard))) [keptSeq, isKeptCard] = [seq, isCard];
        if (isCard) continue;
        standIns += 1;
        // A step not loaded yet has no icon.
        if (step.querySelector("svg") !== null && step.textContent?.includes(`#${seq}`)) named.add(seq);
      }
      standInsInView = Math.max(standInsInView, standIns);
      const isEnough = wanted && [...named].filter((seq) => seq >= wanted.from).length >= wanted.count;
      if (frame === frames || isEnough)
        return resolve({ frames: frame, named: [...named], keptSeq, lastSeq, standInsInView });
      list.scrollTop += px;
      requestAnimationFrame(() => step(frame + 1));
    };
    step(0);
  });
}
