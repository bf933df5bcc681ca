import { expect, test } from "./large-trace.ts";

test("steps that fly by are shown by a line each, and by their cards once the list rests", async ({
  signedIn: page,
  product,
  largeTrace: { runId },
}) => {
  await page.goto(`${product.url}/runs/${runId}`, { waitUntil: "networkidle" });
  await expect(page.locator('article[data-seq="1"][tabindex]')).toBeVisible();

  const seen = await page.evaluate(scrollWithoutPause, { frames: 240, px: 300 });
  // A whole window of entries has been passed by then: what is named was loaded on the way, without a pause.
  expect(seen.named.filter((seq) => seq > 50).length).toBeGreaterThan(10);
  // Whatever was not rendered was not taken for smaller than steps are.
  expect(seen.lastSeq).toBeLessThan((240 * 300) / 60);
  await expect(page.locator("[role=feed] [data-placeholder]")).toHaveCount(0);
  await expect(page.locator(`article[data-seq="${seen.lastSeq}"][tabindex]`)).toBeVisible();

  // Slowly, nobody sees a card come.
  const slow = await page.evaluate(scrollWithoutPause, { frames: 60, px: 20 });
  expect(slow.standInsInView).toBe(0);
});

type Seen = {
  /** The steps that were named by a line while they flew by. */
  named: number[];
  /** The last one that was in view at the end. */
  lastSeq: number;
  /** The most stand-ins that were in view in a frame. */
  standInsInView: number;
};

/** Runs in the page: scrolls down in every frame, as a held thumb does. */
function scrollWithoutPause({ frames, px }: { frames: number; px: number }): Promise<Seen> {
  const list = document.querySelector("[role=feed]")?.closest("[tabindex]");
  if (list === null || list === undefined) throw new Error("There is no list.");
  const named = new Set<number>();
  let standInsInView = 0;
  let lastSeq = 0;
  return new Promise((resolve) => {
    const step = (frame: number) => {
      const view = list.getBoundingClientRect();
      let standIns = 0;
      for (const step of list.querySelectorAll<HTMLElement>("article[data-seq]")) {
        const { top, bottom } = step.getBoundingClientRect();
        if (bottom <= view.top || top >= view.bottom) continue;
        const seq = Number(step.dataset.seq);
        lastSeq = seq;
        if (step.dataset.placeholder === undefined) continue;
        standIns += 1;
        // What is not loaded has no icon: nobody knows yet what it is.
        if (step.querySelector("svg") !== null && step.textContent?.includes(`#${seq}`)) named.add(seq);
      }
      standInsInView = Math.max(standInsInView, standIns);
      if (frame === frames) return resolve({ named: [...named], lastSeq, standInsInView });
      list.scrollTop += px;
      requestAnimationFrame(() => step(frame + 1));
    };
    step(0);
  });
}
