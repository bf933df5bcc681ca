import { type BrowserContext, test as base, type Page } from "@playwright/test";
import { Product } from "./product.ts";

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** Journeys share one product a worker, and one session; each has a browser profile of its own. */
export const test = base.extend<{ signedIn: Page }, { product: Product; session: Cookies }>({
  product: [
    // Playwright reads from the pattern which fixtures are needed: one that is always there.
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
  signedIn: async ({ page, product, session }, use) => {
    await page.context().addCookies(session);
    await page.goto(`${product.url}/runs`);
    await use(page);
  },
});

export { expect } from "@playwright/test";

/** Signs the page in with a new link. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(await product.cli("login"));
  await page.waitForURL(/\/runs/);
}
