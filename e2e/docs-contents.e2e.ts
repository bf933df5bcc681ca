import { expect, test } from "./test.ts";

const runsPage = "/docs/reference/agent-runs";

test("the table of contents marks the section being read", async ({ page, product }) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  const contents = page.getByRole("navigation", { name: "Contents" });
  const marked = contents.locator("[aria-current=location]");
  await page.goto(`${product.url}/docs`);
  await expect(page.getByRole("heading", { name: "API reference" })).toBeVisible();
  await expect(marked).toHaveCount(0);
  await contents.getByRole("link", { name: "Log entries" }).focus();
  await page.keyboard.press("Enter");
  await expect(marked).toHaveText(["Log entries"]);
  await page.locator("#webhooks").evaluate((section) => section.scrollIntoView());
  await expect(marked).toHaveText(["Webhooks"]);

  // The table of contents of a long page is longer than the window: the marked line is in view.
  await page.goto(`${product.url}${runsPage}`);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(marked).toHaveText(["Types"]);
  await expect(marked).toBeInViewport({ ratio: 1 });
  // Long names of operations are whole, or end in an ellipsis.
  const cut = await contents.getByRole("link").evaluateAll((links) =>
    links
      .filter((link) => {
        const { overflowX, textOverflow } = getComputedStyle(link);
        const isWider = link.scrollWidth > link.clientWidth && overflowX !== "visible";
        return (
          (isWider && textOverflow !== "ellipsis") ||
          link.getBoundingClientRect().right > (link.closest("nav")?.getBoundingClientRect().right ?? 0)
        );
      })
      .map((link) => link.textContent),
  );
  expect(cut).toEqual([]);
  await page.goto(`${product.url}${runsPage}#resumeRun`);
  await expect(marked).toHaveAttribute("href", "#resumeRun");
});

test("no entry of the table of contents is cut, and none shows a raw backtick", async ({ page, product }) => {
  for (const path of ["/docs", runsPage, "/docs/changelog"]) {
    await page.goto(`${product.url}${path}`);
    const entries = page.getByRole("navigation", { name: "Contents" }).getByRole("link");
    await expect(entries.first()).toBeVisible();
    const cut = await entries.evaluateAll((links) =>
      links.flatMap((link) => {
        const parts = [link, ...link.querySelectorAll<HTMLElement>("*")].filter((one) => one.clientWidth > 0);
        const isCut = parts.some((one) => one.scrollWidth > one.clientWidth + 1);
        return isCut || link.textContent.includes("`") ? [link.textContent] : [];
      }),
    );
    expect(cut, path).toEqual([]);
  }
});
