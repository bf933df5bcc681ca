import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { Product } from "./product.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** Number of entries of the large trace, which is the same in every run of the journeys (`errand bench seed`, seed 1). */
export const largeTraceEntries = 30_000;

/**
 * Journeys of a worker share one product, one session and one large trace, which they only read; each has its own browser profile,
 * on an empty page.
 */
export const test = base.extend<
  { signedIn: Page; atRest: undefined },
  { product: Product; session: Cookies; largeTrace: { runId: number } }
>({
  product: [
    // Playwright reads the needed fixtures from this pattern; this one always exists.
    async ({ browserName: _browserName }, use) => {
      const product = await Product.start();
      await use(product);
      await product.stop();
    },
    { scope: "worker" },
  ],
  session: [
    async ({ browser, product }, use) => {
      const context = await browser.newContext();
      await signIn(await context.newPage(), product);
      const cookies = await context.cookies();
      await context.close();
      await use(cookies);
    },
    { scope: "worker" },
  ],
  largeTrace: [
    async ({ product }, use) => {
      const printed = await product.cli("bench", "seed", "--entries", String(largeTraceEntries));
      await use({ runId: Number(printed) });
    },
    { scope: "worker", timeout: 600_000 },
  ],
  signedIn: async ({ page, session }, use) => {
    await page.context().addCookies(session);
    await use(page);
  },
  atRest: [
    async ({ product }, use, journey) => {
      await use(undefined);
      // A failed journey is the last one of its worker and product.
      if (journey.status !== journey.expectedStatus) return;
      await expect.poll(() => runsAtWork(product), "A journey leaves no run at work for the ones after it").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The prompts of runs that hold or wait for a slot of the engine; external runs hold none. */
async function runsAtWork(product: Product): Promise<string[]> {
  const api = await ApiClient.create(product);
  const { body } = await api.ask("GET", "/agent/runs?status=queued,running,waiting,evaluating&limit=100");
  const runs = body.items as { agent: string; prompt: string }[];
  return runs.filter(({ agent }) => agent !== "external").map(({ prompt }) => prompt);
}

/** Signs the page in with a link that nobody has used. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(await product.takeSignInLink());
  await page.waitForURL(/\/runs/);
}
