import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiClient } from "./api.ts";
import { findings, inspect, narrow, overflow, showIn, wide } from "./look.ts";
import type { Product } from "./product.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

// The pages are checked in parallel.
test.describe.configure({ mode: "parallel", timeout: 300_000 });

/**
 * The API pages show all operations and types in the same colors, and axe takes as long for them as for all other pages. The
 * short form checks the contrast of this many of each part; every other rule checks all of them.
 */
const contrasted = countOf({ short: 2, long: 10_000 });

/** Opens a page of the product and checks it wide and light, narrow and dark. */
async function inspectAt(page: Page, { url }: Product, path: string): Promise<void> {
  await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
  await page.locator("main").first().waitFor();
  await inspect(page, path.replaceAll(/\W+/g, " "), { seriousOnly: true });
}

test("the pages of runs are free of serious findings of axe and fit the window", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const repository = await api.ask("POST", "/repos", { source: makeRepository() });
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Look.\n```sh\necho seen; exit 1\n```",
    repo_id: repository.body.id,
    agent: "steps",
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("failed");
  const tabs = ["", "?tab=changes", "?tab=analysis", "?find=seen"].map((query) => `/runs/${run.id}${query}`);
  for (const path of ["/runs", ...tabs, "/search", "/search?q=look"]) await inspectAt(page, product, path);
});

test("all other pages are free of serious findings of axe and fit the window", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  await api.ask("POST", "/invitations", { role: "member", note: "For the new colleague in the office in Lisbon" });
  const settings = [
    "tokens",
    "members",
    "agents",
    "isolation",
    "storage",
    "organization",
    "integrations",
    "webhooks",
    "audit",
    "profile",
  ].map((name) => `/settings/${name}`);
  for (const path of ["/runs/new", "/repositories", ...settings, "/runs/999999"]) {
    await inspectAt(page, product, path);
  }
});

for (const path of ["/docs", "/docs/reference/agent-runs", "/docs/changelog"]) {
  test(`${path} is free of serious findings of axe and fits the window`, async ({ signedIn: page, product }) => {
    await page.goto(`${product.url}${path}`, { waitUntil: "networkidle" });
    for (const view of [wide, narrow]) {
      await showIn(page, view);
      expect(await findings(page, { seriousOnly: true, rules: "others" }), `${view.width} px`).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
    // Excluding parts does not make axe faster; removing them does.
    const repeated = page.locator(`[data-api-parts] > section:nth-of-type(n+${contrasted + 1})`);
    await repeated.evaluateAll((parts) => {
      for (const part of parts) part.remove();
    });
    for (const view of [narrow, wide]) {
      await showIn(page, view);
      expect(await findings(page, { seriousOnly: true, rules: "contrast" }), `${view.width} px`).toEqual([]);
    }
  });
}

test("the pages for people who are not signed in are free of serious findings of axe", { tag: "@short" }, async ({
  page,
  product,
}) => {
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
  for (const one of [...paths, `/reset/${reset.code}`, "/reset/wrong"]) await inspectAt(page, product, one);
});

test("a dialog appears where it stays, so that a press during its animation hits what is under it", async ({
  signedIn: page,
  product,
}) => {
  await page.goto(`${product.url}/runs`);
  await page.getByRole("heading", { name: "Runs", exact: true }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  const places = await dialog.evaluate((element) => {
    // Again from its beginning: by now it may be over.
    element.style.animation = "none";
    element.getAnimations();
    element.style.animation = "";
    const animation = element.getAnimations()[0];
    if (animation === undefined) throw new Error("The dialog has no animation.");
    animation.pause();
    return [0, 100].map((ms) => {
      animation.currentTime = ms;
      return element.getBoundingClientRect().x;
    });
  });
  expect(places[0]).toBe(places[1]);
});

test("on a phone the current tab of the settings is in view", async ({ signedIn: page, product }) => {
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
    // Its lowest pixel is under the row's border.
    await expect(tab).toBeInViewport({ ratio: 0.95 });
  }
});

test("old links lead to the run", { tag: "@short" }, async ({ signedIn: page, product }) => {
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

test("old links of other pages lead to their present pages", async ({ signedIn: page, product }) => {
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

test("a sign-in link works once, and without it there is no way in", { tag: "@short" }, async ({
  page,
  browser,
  product,
}) => {
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
