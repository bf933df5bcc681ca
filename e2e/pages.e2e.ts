import { randomUUID } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiClient } from "./api.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

const views = [
  { colorScheme: "light", width: 1440, height: 900 },
  { colorScheme: "dark", width: 375, height: 812 },
] as const;

/**
 * The pages of the API say the same of each operation and type in the same colours, and axe takes as long for them as for all
 * other pages. In the short form the contrast of this many of each part is looked at; every other rule looks at all of them.
 */
const contrasted = countOf({ short: 2, long: 10_000 });

/** What axe finds serious on the page, in words. */
async function seriousFindings(page: Page): Promise<string[]> {
  // The pages have no frames, and what axe finds in order need not be described.
  const axe = () => new AxeBuilder({ page }).setLegacyMode();
  const contrast = "color-contrast";
  const rest = axe().options({ resultTypes: ["violations"], rules: { [contrast]: { enabled: false } } });
  const colours = axe().options({ resultTypes: ["violations"], runOnly: [contrast] });
  const repeated = `[data-api-parts] > section:nth-of-type(n+${contrasted + 1})`;
  if ((await page.locator(repeated).count()) > 0) colours.exclude(repeated);
  const violations = [...(await rest.analyze()).violations, ...(await colours.analyze()).violations];
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

test("every page is free of serious findings of axe, wide and light, narrow and dark", async ({
  signedIn: page,
  product,
}) => {
  test.setTimeout(600_000);
  const api = await ApiClient.create(product);
  const repository = await api.ask("POST", "/repos", { source: makeRepository() });
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Look.\n```sh\necho seen; exit 1\n```",
    repo_id: repository.body.id,
    agent: "steps",
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("failed");
  await api.ask("POST", "/invitations", { role: "member", note: "For the new colleague in the office in Lisbon" });
  const paths = [
    "/runs",
    "/runs/new",
    `/runs/${run.id}`,
    `/runs/${run.id}?tab=changes`,
    `/runs/${run.id}?tab=analysis`,
    "/repositories",
  ];
  const searches = ["/search", "/search?q=look", `/runs/${run.id}?find=seen`];
  const settings = ["tokens", "members", "organization", "integrations", "webhooks", "audit", "profile"].map(
    (name) => `/settings/${name}`,
  );
  const docs = ["/docs", "/docs/reference/agent-runs", "/docs/changelog"];
  for (const path of [...paths, ...searches, ...settings, ...docs, "/runs/999999"]) {
    await expectSoundPage(page, `${product.url}${path}`);
  }
});

/** Opens the address in every view: axe finds nothing serious, and nothing is wider than the page. */
async function expectSoundPage(page: Page, url: string): Promise<void> {
  for (const { colorScheme, width, height } of views) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height });
    await page.goto(url);
    await page.locator("main").first().waitFor();
    expect(await seriousFindings(page), `${url} ${colorScheme} ${width}`).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, `${url} is wider than ${width} px`).toBeLessThanOrEqual(0);
  }
}

test("the pages for people who are not signed in are free of serious findings too", async ({ page, product }) => {
  const api = await ApiClient.create(product);
  const { body: invited } = await api.ask("POST", "/invitations", { role: "member" });
  const path = `${product.url}/v1/invitations/${invited.code}/accept`;
  const joined = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ full_name: "Mary", email: "mary@example.com", password: "correct horse battery" }),
  });
  expect(joined.status).toBe(200);
  const { user } = await joined.json();
  const { body: reset } = await api.ask("POST", `/users/${user.id}/reset`);
  const { body: open } = await api.ask("POST", "/invitations", { role: "viewer" });
  const paths = ["/login", "/login?code=wrong", `/invite/${open.code}`, `/invite/${invited.code}`];
  for (const one of [...paths, `/reset/${reset.code}`, "/reset/wrong"])
    await expectSoundPage(page, `${product.url}${one}`);
});

test("on a phone the settings' tab of the page is in view", async ({ signedIn: page, product }) => {
  await page.setViewportSize({ width: 375, height: 812 });
  const tabs = [
    ["Audit log", "audit"],
    ["Profile", "profile"],
    ["API tokens", "tokens"],
  ] as const;
  for (const [name, path] of tabs) {
    await page.goto(`${product.url}/settings/${path}`);
    const tab = page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name });
    await expect(tab).toHaveAttribute("aria-current", "page");
    // Its lowest pixel lies under the line of the row.
    await expect(tab).toBeInViewport({ ratio: 0.95 });
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

test("an old link to a step, by the id of its tool call, leads to that step", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const sessionId = randomUUID();
  const { body } = await api.ask("POST", "/claude_code/session", { session_id: sessionId });
  for (const [type, content] of [
    ["user", "Build it"],
    ["assistant", [{ type: "tool_use", id: "call_1", name: "Bash", input: { command: "make" } }]],
    ["user", [{ type: "tool_result", tool_use_id: "call_1", content: "built" }]],
  ]) {
    const log = { type, uuid: randomUUID(), message: { role: type, content } };
    expect((await api.ask("POST", `/claude_code/session/${sessionId}/log`, { log })).status).toBe(200);
  }
  await page.goto(`${product.url}/agent/trace/${body.agent_run_id}?toolCallId=call_1`);
  await expect(page).toHaveURL(`${product.url}/runs/${body.agent_run_id}?entry=2`);
  await expect(page.getByRole("feed").getByText("make").first()).toBeVisible();
});

test("old links of other pages lead to what is there now", async ({ signedIn: page, product }) => {
  for (const [old, present] of [
    ["/token", "/settings/tokens"],
    ["/cli-token", "/settings/tokens"],
    ["/me", "/runs"],
    ["/agents", "/runs"],
    ["/analytics", "/runs"],
    ["/repos", "/repositories"],
    ["/integrations", "/settings/integrations"],
    ["/new", "/runs/new"],
  ] as const) {
    const answer = await page.goto(`${product.url}${old}`);
    expect([answer?.status(), new URL(page.url()).pathname], old).toEqual([200, present]);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
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
