import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { findings } from "./look.ts";
import { expect, test } from "./test.ts";

const said = (message_type: string, text: string) => ({ message_type, observation: text });
const ran = (command: string, output: string, exit_code: number) => ({
  message_type: "ACTION",
  tool_name: "shell",
  tool_input: { command },
  tool_output: { status: exit_code === 0 ? "completed" : "failed", exit_code, output, duration_ms: 1500 },
});
const edited = (path: string) => ({
  message_type: "ACTION",
  tool_name: "edit",
  tool_input: { path, old_string: "a - b", new_string: "a + b" },
  tool_output: { status: "completed" },
});
const red = "not ok 1 - adds\n# tests 2\n# pass 1\n# fail 1";
const green = "ok 1 - adds\n# tests 2\n# pass 2\n# fail 0";

/** A run whose tests fail, then pass: seq 2 is the red one, seq 4 the green one. */
async function repairedRun(api: ApiClient, prompt: string): Promise<number> {
  const { body } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  const runId = Number(body.id);
  const entries = [
    said("USER_MESSAGE", prompt),
    ran("npm test", red, 1),
    edited("src/add.ts"),
    ran("npm test", green, 0),
    said("FINAL_ANSWER", "The sum is right now."),
  ];
  await api.ask("POST", `/agent/run/${runId}/logs`, { entries });
  return runId;
}

const end = (api: ApiClient, runId: number) => api.ask("PATCH", `/agent/run/${runId}`, { status: "completed" });
const tab = (page: Page, name: string) => page.getByRole("navigation", { name: "Views of the run" }).getByText(name);

test("the Analysis tab shows tests before and after, and a finding links to its step", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await repairedRun(api, "Repair the sum");
  await end(api, runId);
  await page.goto(`${product.url}/runs/${runId}`);
  await tab(page, "Analysis").click();
  await expect(page).toHaveURL(/\?tab=analysis$/);
  await expect(page.getByText("Ended with an answer")).toBeVisible();
  const tests = page.getByRole("region", { name: "Tests and checks" });
  await expect(tests.getByRole("definition").first()).toContainText("failed");
  await expect(tests.getByRole("definition").last()).toContainText("passed");
  expect(await findings(page)).toEqual([]);

  await tests.getByRole("definition").first().getByRole("link", { name: "Step 2" }).click();
  await expect(page).toHaveURL(/\?entry=2$/);
  await expect(page.getByRole("feed").locator('[aria-posinset="2"]')).toBeVisible();
  await page.goBack();
  await expect(tests).toBeVisible();
});

test("the analysis of a live run grows without a reload and says that it is partial", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body } = await api.ask("POST", "/agent/run", { prompt: "Still at it", agent: "external" });
  const runId = Number(body.id);
  await page.goto(`${product.url}/runs/${runId}?tab=analysis`);
  await expect(page.getByText("No steps yet")).toBeVisible();
  const append = (...entries: object[]) => api.ask("POST", `/agent/run/${runId}/logs`, { entries });
  await append(said("USER_MESSAGE", "Still at it"), ran("npm test", red, 1));
  await expect(page.getByText("Still working", { exact: true })).toBeVisible();
  await expect(page.getByText("So far: the first 2 steps. The run is still working.")).toBeVisible();
  const tests = page.getByRole("region", { name: "Tests and checks" });
  await expect(tests.getByText("passed", { exact: true })).toHaveCount(0);
  await append(edited("src/add.ts"), ran("npm test", green, 0), said("FINAL_ANSWER", "Done."));
  await expect(tests.getByText("passed", { exact: true }).first()).toBeVisible();
  await end(api, runId);
  await expect(page.getByText("Ended with an answer")).toBeVisible();
  await expect(page.getByText(/^So far/)).toHaveCount(0);
});

test("the dialog to analyze a run has its button only once the agents are known, and focuses it", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await repairedRun(api, "Repair the sum, slowly");
  await end(api, runId);
  const { promise: known, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/v1/organizations/1/agents*", (route) => known.then(() => route.continue()));
  await page.goto(`${product.url}/runs/${runId}?tab=analysis`);
  await page.getByRole("button", { name: "Analyze with an agent" }).click();
  const dialog = page.getByRole("dialog", { name: `Analyze run #${runId}` });
  const analyze = dialog.getByRole("button", { name: "Analyze" });
  await expect(dialog.getByText("Loading the agents")).toBeAttached();
  await expect(analyze).toHaveCount(0);
  release();
  await expect(analyze).toBeFocused();
});

test("a run is analyzed by the button, and the two runs link to each other", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const runId = await repairedRun(api, "Repair the sum, then look at it");
  await end(api, runId);
  await page.goto(`${product.url}/runs/${runId}?tab=analysis`);
  await page.getByRole("button", { name: "Analyze with an agent" }).click();
  const dialog = page.getByRole("dialog", { name: `Analyze run #${runId}` });
  await expect(dialog.getByRole("radio", { name: /Built-in rules/ })).toBeChecked();
  const { promise: known, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/analyze-logs", (route) => known.then(() => route.continue()));
  await dialog.getByRole("button", { name: "Analyze" }).click();
  await expect(dialog.getByRole("button", { name: "Analyze" })).toHaveAttribute("aria-busy", "true");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  release();
  await page.waitForURL(({ pathname }) => /^\/runs\/\d+$/.test(pathname) && !pathname.endsWith(`/${runId}`));
  const analysisId = Number(new URL(page.url()).pathname.split("/").at(-1));
  const feed = page.getByRole("feed");
  await expect(feed.getByText("The run ended with an answer").first()).toBeVisible();
  await expect(feed.getByRole("link", { name: "step 2", exact: true }).first()).toHaveAttribute(
    "href",
    new RegExp(`/runs/${runId}\\?entry=2$`),
  );
  await expect(page.getByText("Completed").first()).toBeVisible();
  await feed.getByRole("link", { name: `Analysis of run #${runId}` }).click();
  await page.waitForURL(`${product.url}/runs/${runId}`);
  await page.getByRole("link", { name: `Analyzed by run #${analysisId}` }).click();
  await page.waitForURL(`${product.url}/runs/${analysisId}`);
  await page.goto(`${product.url}/runs/${runId}?tab=analysis`);
  await expect(page.getByRole("link", { name: `Analyzed by run #${analysisId}` })).toBeVisible();

  const { body: share } = await api.ask("POST", `/agent/run/${runId}/shares`, {});
  await page.goto(`${product.url}/share/${share.token}`);
  await expect(tab(page, "Trace")).toBeVisible();
  await expect(tab(page, "Analysis")).toHaveCount(0);
  await expect(page.getByText(/Analyzed by/)).toHaveCount(0);
});
