import { test as base, type Page } from "@playwright/test";
import { Product } from "./product.ts";

/** Journeys share one product a worker; each signs in with a link of its own. */
export const test = base.extend<{ signedIn: Page }, { product: Product }>({
  product: [
    // Playwright reads from the pattern which fixtures are needed: one that is always there.
    async ({ browserName: _browserName }, use) => {
      const product = await Product.start();
      await use(product);
      await product.stop();
    },
    { scope: "worker" },
  ],
  signedIn: async ({ page, product }, use) => {
    await signIn(page, product);
    await use(page);
  },
});

export { expect } from "@playwright/test";

/** Signs the page in with a new link. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(await product.cli("login"));
  await page.waitForURL(/\/runs/);
}
