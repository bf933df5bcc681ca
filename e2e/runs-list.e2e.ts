import { expect, test } from "./test.ts";

test("on a phone all filters of the runs have one size, which keeps iOS from zooming into them", async ({
  browser,
  session,
  product,
}) => {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
  await context.addCookies(session);
  const page = await context.newPage();
  await page.goto(`${product.url}/runs`);
  const filters = page.getByRole("search", { name: "Runs" });
  const controls = filters.getByRole("searchbox").or(filters.getByRole("combobox")).or(filters.getByRole("button"));
  await expect(controls).toHaveCount(4);
  const sizes = await controls.evaluateAll((all) => all.map((one) => getComputedStyle(one).fontSize));
  expect(sizes).toEqual(Array(4).fill("16px"));
  await context.close();
});
