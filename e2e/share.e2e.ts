import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { action, externalRun, openElsewhere } from "./share-reader.ts";
import { expect, largeTraceEntries, test } from "./test.ts";

// In two parts, so that secret scanners do not report this file.
const secret = `ghp_${"9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSabc123"}`;
const revokedMsMax = 5000;

test("a long run is shared after a preview, and read elsewhere without signing in and without tool outputs", {
  tag: "@short",
}, async ({ signedIn: page, product, largeTrace, browser }) => {
  const { runId } = largeTrace;
  await page.goto(`${product.url}/runs/${runId}`);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: `Share run #${runId}` });
  await expect(dialog.getByText("30,000 steps, with the prompt, and what comes later")).toBeVisible();
  await expect(dialog.getByText(/tool calls, without their output/)).toBeVisible();
  // The whole run is searched for secrets while the dialog is open.
  await expect(dialog.getByText(/(No secrets found|\d+ secrets? masked)/)).toBeVisible();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const url = await page.getByRole("dialog", { name: "The link is ready" }).locator("code").innerText();
  expect(url).toMatch(new RegExp(`^${product.url}/share/[0-9A-Za-z]{32}$`));

  const { context, reader, bodies, requests } = await openElsewhere(browser);
  const answered = await reader.goto(url);
  for (const [name, value] of Object.entries({
    "cache-control": /no-store/,
    "x-robots-tag": /noindex/,
    "referrer-policy": /^no-referrer$/,
  })) {
    expect(answered?.headers()[name]).toMatch(value);
  }
  await expect(reader.getByRole("complementary", { name: "About this page" })).toContainText("Shared by");
  await expect(reader.getByRole("complementary", { name: "About this page" })).toContainText(
    "tool output and file contents hidden",
  );
  await expect(cardOf(reader, 1)).toBeVisible();
  await expect(reader.getByText("30,000 steps").first()).toBeVisible();

  const outputs = await outputsOf(await ApiClient.create(product), runId);
  expect(outputs.length).toBeGreaterThan(10);
  const read = (await bodies()).join("\n");
  for (const output of outputs) expect(read).not.toContain(output);
  expect(requests().filter((path) => !isShared(path, url))).toEqual([]);
  await context.close();
});

test("a link's page and its preview in a chat say whose run it is, and it can only be read", async ({
  product,
  browser,
}) => {
  const run = await externalRun(await ApiClient.create(product), "Look around");
  await run.append([action("echo one", "x")]);
  const { url } = await run.share({});
  const { context, reader } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(reader.getByText("echo one").first()).toBeVisible();
  await expect(reader.getByRole("complementary", { name: "About this page" })).toContainText("Errand");
  await expect(reader).toHaveTitle(/ · Errand$/);
  const metaOf = (property: string) => reader.locator(`meta[property="og:${property}"]`).getAttribute("content");
  expect(await metaOf("site_name")).toBe("Errand");
  expect(await metaOf("title")).toBe((await reader.title()).replace(/ · Errand$/, ""));
  expect(await metaOf("description")).toMatch(/1 step/);

  // No inputs and no links to other pages.
  await expect(reader.getByRole("textbox")).toHaveCount(0);
  for (const name of ["Cancel", "Continue", "Share", "Export", "Send"]) {
    await expect(reader.getByRole("button", { name, exact: true })).toHaveCount(0);
  }
  await expect(reader.getByRole("link", { name: "Changes" })).toHaveCount(0);
  await context.close();
});

test("a link shows the same viewer: keys, map, links to steps, find, filters; all of them within the link", async ({
  product,
  largeTrace,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const { body: share } = await api.ask("POST", `/agent/run/${largeTrace.runId}/shares`, {});
  const url = String(share.url);
  const { context, reader, bodies, requests } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(cardOf(reader, 1)).toBeVisible();
  await reader.keyboard.press("Shift+G");
  await expect(cardOf(reader, largeTraceEntries)).toBeVisible();
  await reader.goto(`${url}?entry=15000`);
  await expect(cardOf(reader, 15_000)).toBeVisible();
  await reader.getByRole("slider", { name: "Position in the run" }).press("Home");
  await expect(cardOf(reader, 1)).toBeVisible();
  await reader.keyboard.press("Shift+J");
  await expect.poll(() => focusedSeq(reader)).toBeGreaterThan(1);
  await reader.goto(`${url}?find=needle-37`);
  await expect(reader.getByText("1 / 1").or(reader.getByText("1 of 1"))).toBeVisible();
  await reader.goto(`${url}?errors=1`);
  await expect(reader.getByRole("article").first()).toBeVisible();

  const read = (await bodies()).join("\n");
  for (const output of await outputsOf(api, largeTrace.runId)) expect(read).not.toContain(output);
  expect(requests().filter((path) => !isShared(path, url))).toEqual([]);
  await context.close();
});

test("the button that creates a link stays where it is when the preview above it has loaded", async ({
  signedIn: page,
  product,
}) => {
  const run = await externalRun(await ApiClient.create(product), "Look around");
  await run.append([action("echo one", "x")]);
  const { promise: loaded, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/shares/preview*", (route) => loaded.then(() => route.continue()));
  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  const dialog = page.getByRole("dialog", { name: `Share run #${run.id}` });
  const button = dialog.getByRole("button", { name: "Create link" });
  await expect(dialog.getByText("Checking the run…")).toBeVisible();
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const before = await button.boundingBox();
  release();
  await expect(dialog.getByText("No secrets found")).toBeVisible();
  expect(await button.boundingBox()).toEqual(before);
});

test("secrets are masked in everything a link shows, live steps too", { tag: "@short" }, async ({
  product,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const run = await externalRun(api, `Deploy with ${secret}`);
  await run.append([
    action(`curl -H "Authorization: Bearer ${secret}" https://example.com`, `export API_KEY=${secret}\n`.repeat(50)),
  ]);
  const { url } = await run.share({ outputs: true });
  const { context, reader, bodies } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(reader.getByText("[secret masked]").first()).toBeVisible();
  await run.append([{ message_type: "USER_MESSAGE", observation: `Now with ${secret}, please` }]);
  await expect(reader.getByText("Now with [secret masked], please")).toBeVisible();
  await reader.getByRole("link", { name: "Raw" }).click();
  await expect(reader.getByRole("feed", { name: "Log entries as JSON" })).toContainText("[secret masked]");
  const read = (await bodies()).join("\n") + (await reader.content());
  expect(read).toContain("[secret masked]");
  expect(read).not.toContain("ghp_");
  await context.close();
});

test("a shared range shows its steps and no others, even while the run continues", async ({ product, browser }) => {
  const api = await ApiClient.create(product);
  const run = await externalRun(api, "Count the hidden treasures");
  await run.append(Array.from({ length: 30 }, (_, index) => action(`echo step-${index + 1}.`, "x")));
  const { url, token } = await run.share({ from_seq: 11, to_seq: 15 });
  const { context, reader, bodies } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(reader.getByText("echo step-11.").first()).toBeVisible();
  await expect(reader.getByText("The shared part ends here.")).toBeVisible();
  await expect(reader.getByRole("complementary", { name: "About this page" })).toContainText("steps 11 to 15");
  await expect(reader.getByText("5 steps").first()).toBeVisible();
  // Steps keep the run's numbers, in words and in addresses.
  await expect(reader.getByRole("article", { name: /^Step 15, / })).toBeVisible();
  await expect(reader.getByRole("link", { name: "Copy the link to step 13" })).toHaveAttribute("href", /entry=13$/);
  await reader.goto(`${url}?entry=14`);
  await expect(reader.locator("article[data-marked]")).toContainText("echo step-14.");
  await run.append([action("echo step-31.", "x")]);
  await reader.reload();
  await expect(reader.getByText("echo step-15.").first()).toBeVisible();
  const read = (await bodies()).join("\n") + (await reader.content());
  for (const outside of ["step-10.", "step-16.", "step-31.", "treasures"]) expect(read).not.toContain(outside);
  const entry = (seq: number) => fetch(`${product.url}/v1/shares/${token}/logs/${seq}`);
  expect((await (await entry(11)).json()).tool_input.command).toBe("echo step-11.");
  expect((await entry(16)).status).toBe(404);
  await context.close();
});

test("a folded group of a shared part has the run's numbers", async ({ product, browser }) => {
  const run = await externalRun(await ApiClient.create(product), "Look around");
  const read = (file_path: string) => ({
    ...action("", "x"),
    ...{ tool_name: "read", tool_input: { file_path }, tool_output: { status: "completed", output: "x" } },
  });
  await run.append([
    ...[action("echo one", "x"), action("echo two", "x")],
    ...[read("a.ts"), read("b.ts"), read("c.ts")],
    action("echo six", "x"),
  ]);
  const { url } = await run.share({ from_seq: 2, to_seq: 6 });
  const { context, reader } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(reader.getByRole("article", { name: /^Steps 3 to 5, / })).toBeVisible();
  await context.close();
});

test("a reader of a link is told within seconds that it was revoked, in the same words as for any link that does not work", async ({
  signedIn: page,
  product,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const run = await externalRun(api, "Go on for a while");
  await run.append([action("echo one", "x")]);
  const { url, token } = await run.share({});
  const { context, reader } = await openElsewhere(browser);
  await reader.goto(url);
  await expect(reader.getByText("echo one").first()).toBeVisible();
  const stream = await fetch(`${product.url}/v1/shares/${token}/logs/stream`);
  const ended = stream.text();

  await page.goto(`${product.url}/runs/${run.id}`);
  await page.getByRole("button", { name: "Share" }).click();
  const links = page.getByRole("region", { name: "Links to this run" });
  await expect(links).toContainText("Opened 1 time");
  await links.getByRole("button", { name: /^Revoke the link/ }).click();
  await links.getByRole("button", { name: "Revoke link" }).click();
  await expect(links).toBeHidden();
  await expect(reader.getByRole("heading", { name: "This link no longer works" })).toBeVisible({
    timeout: revokedMsMax,
  });
  expect(await ended).not.toContain("event: end");

  const refused = async (address: string) => {
    const answer = await reader.goto(address);
    await expect(reader.getByRole("heading", { name: "This link does not work" })).toBeVisible();
    return [answer?.status(), await reader.locator("main").innerText()];
  };
  expect(await refused(url)).toEqual(await refused(`${product.url}/share/${"A".repeat(32)}`));
  await context.close();
});

test("a viewer may read a run but not share it", async ({ product }) => {
  const run = await externalRun(await ApiClient.create(product), "Keep this here");
  const viewer = await ApiClient.create(product, "viewer");
  expect((await viewer.ask("POST", `/agent/run/${run.id}/shares`, {})).status).toBe(403);
  expect((await viewer.ask("GET", `/agent/run/${run.id}/shares`)).status).toBe(403);
});

/** Whether it is the page itself, its API, or an asset of every page. */
function isShared(path: string, url: string): boolean {
  const page = new URL(url).pathname;
  const token = page.slice("/share/".length);
  return (
    path === page || path.startsWith(`/v1/shares/${token}`) || path.startsWith("/_next/static/") || path === "/icon.svg"
  );
}

/** Pieces of tool outputs in some of the steps. */
async function outputsOf(api: ApiClient, runId: number): Promise<string[]> {
  const { body } = await api.ask("GET", `/agent/run/${runId}/logs?limit=40&clip=2000`);
  return (body.logs as { tool_output: { output?: string } | null }[])
    .map(({ tool_output: output }) => output?.output?.split("\n").find((line) => line.length > 40))
    .filter((line) => line !== undefined);
}

function cardOf(page: Page, seq: number) {
  return page.locator(`article[data-seq="${seq}"][tabindex]`);
}

function focusedSeq(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.activeElement?.getAttribute("data-seq") ?? 0));
}
