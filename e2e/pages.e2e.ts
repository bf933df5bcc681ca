import AxeBuilder from "@axe-core/playwright";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

const views = [
  { colorScheme: "light", width: 1440, height: 900 },
  { colorScheme: "dark", width: 375, height: 812 },
] as const;

test("every page is free of serious findings of axe, wide and light, narrow and dark", async ({
  signedIn: page,
  product,
}) => {
  test.setTimeout(300_000);
  const api = await ApiClient.create(product);
  const repository = await api.ask("POST", "/repos", { source: makeRepository() });
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Look.\n```sh\necho seen; exit 1\n```",
    repo_id: repository.body.id,
    agent: "steps",
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("failed");
  const paths = [
    "/runs",
    "/runs/new",
    `/runs/${run.id}`,
    `/runs/${run.id}?tab=changes`,
    `/runs/${run.id}?tab=analysis`,
    "/repositories",
  ];
  const searches = ["/search", "/search?q=look", `/runs/${run.id}?find=seen`];
  for (const path of [...paths, ...searches, "/settings/tokens", "/docs", "/runs/999999"]) {
    for (const { colorScheme, width, height } of views) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height });
      await page.goto(`${product.url}${path}`);
      await page.locator("main").first().waitFor();
      // The pages have no frames, and what axe finds in order need not be described.
      const { violations } = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({ resultTypes: ["violations"] })
        .analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      const found = serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      expect(found, `${path} ${colorScheme} ${width}`).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${path} is wider than ${width} px`).toBeLessThanOrEqual(0);
    }
  }
});

test("old links lead to the run", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Look.\n```sh\ntrue\n```", agent: "steps" });
  for (const path of [`/agent/trace/${run.id}`, `/x/${run.id}`, `/traces/${run.id}`]) {
    await page.goto(`${product.url}${path}`);
    expect(new URL(page.url()).pathname).toBe(`/runs/${run.id}`);
  }
  await page.goto(String(run.web_url));
  await expect(page.getByRole("feed").getByRole("article").first()).toBeVisible();
});

test("a sign-in link works once, and without it there is no way in", async ({ page, browser, product }) => {
  await page.goto(`${product.url}/runs`);
  await page.waitForURL(/\/login/);
  const link = await product.cli("login");
  await page.goto(link);
  await page.waitForURL(/\/runs/);
  // Another browser: the first one, its session taken away, would go to the sign-in page by itself.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByText(/used or has expired/)).toBeVisible();
  await stranger.context().close();
});
