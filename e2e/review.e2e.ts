import type { Locator, Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { findings, inspect, overflow } from "./look.ts";
import type { Product } from "./product.ts";
import { expect, test } from "./test.ts";

const steps = (command: string) => `Write.\n\`\`\`sh\n${command}\n\`\`\``;

async function newRun(api: ApiClient, command: string): Promise<number> {
  const { body } = await api.ask("POST", "/agent/run", { prompt: steps(command), agent: "steps" });
  return Number(body.id);
}

async function endedRun(api: ApiClient, command: string): Promise<number> {
  const runId = await newRun(api, command);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
  return runId;
}

const changesOf = ({ url }: Product, runId: number) => `${url}/runs/${runId}?tab=changes`;
const commentsOn = (page: Page): Locator => page.getByRole("region", { name: "Comments" });
const fileOn = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

/** Presses a line's number with the keyboard, and adds a comment on the line. */
async function comment(page: Page, { file, line, text }: { file: string; line: number; text: string }): Promise<void> {
  await fileOn(page, file)
    .getByRole("button", { name: new RegExp(`^Line ${line}, added`) })
    .press("Enter");
  const field = page.getByRole("textbox", { name: `Comment on ${file}, line ${line}` });
  await expect(field).toBeFocused();
  await field.fill(text);
  await field.press("Control+Enter");
  await expect(field).toHaveCount(0);
}

test("comments that are too long for one prompt are neither sent nor lost, and neither are those the service refused", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  await page.goto(changesOf(product, runId));
  const comments = commentsOn(page);
  await comment(page, { file: "numbers.txt", line: 2, text: "word ".repeat(40_000) });
  await comment(page, { file: "numbers.txt", line: 3, text: "word ".repeat(20_000) });
  const send = comments.getByRole("button", { name: "Send to the agent" });
  await expect(comments.getByRole("alert")).toContainText("can have at most 262,144");
  await expect(send).toBeDisabled();
  await page.reload();
  await expect(comments).toContainText("2 comments");
  await expect(send).toBeDisabled();
  await comments.getByRole("button", { name: /^\d+ comments?$/ }).press("Enter");
  await comments.getByRole("button", { name: "Remove comment" }).first().press("Enter");
  await expect(comments.getByRole("alert")).toHaveCount(0);
  await comments.getByRole("button", { name: "Remove comment" }).press("Enter");
  await expect(comments).toHaveCount(0);

  await comment(page, { file: "numbers.txt", line: 4, text: "Now send it.\n\n```sh\necho sent > sent.txt\n```" });
  const problem = { detail: "The disk is full.", code: "insufficient_storage", request_id: "req_1" };
  await page.route("**/agent/run/resume", (route) => route.fulfill({ status: 507, json: problem }));
  await send.press("Enter");
  await expect(comments.getByRole("alert")).toContainText("The comments were not sent");
  await expect(comments).toContainText("1 comment");
  await inspect(page, "comments that were not sent");
  await page.unroute("**/agent/run/resume");
  await send.press("Enter");
  await expect(comments).toHaveCount(0);
  await expect(fileOn(page, "sent.txt")).toBeVisible();
});

test("comments on a running run wait as its next turn, and survive its cancellation", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  await api.ask("POST", "/agent/run/resume", { agent_run_id: runId, prompt: steps("sleep 600") });
  await page.goto(changesOf(product, runId));
  await expect(page.getByText("Running").first()).toBeVisible();
  await comment(page, { file: "numbers.txt", line: 5, text: "Sort them backwards." });
  await commentsOn(page).getByRole("button", { name: "Send to the agent" }).press("Enter");
  await expect(commentsOn(page)).toHaveCount(0);
  const queue = page.getByRole("region", { name: "Queued messages" });
  await expect(queue).toContainText("numbers.txt");
  expect((await api.ask("GET", `/agent/run/${runId}`)).body).toMatchObject({ status: "running", queued_turns: 1 });
  await api.ask("POST", `/agent/run/${runId}/cancel`);
  await expect(queue.getByText("1 message on hold.").last()).toBeVisible();
  await expect(queue).toContainText("numbers.txt");
});

test("two pages of a browser show the same comments", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  const other = await page.context().newPage();
  for (const one of [page, other]) {
    await one.goto(changesOf(product, runId));
    await expect(fileOn(one, "numbers.txt")).toBeVisible();
  }
  await comment(page, { file: "numbers.txt", line: 1, text: "Here." });
  await expect(commentsOn(other)).toContainText("1 comment");
  await comment(other, { file: "numbers.txt", line: 2, text: "There.\n\n```sh\ntrue\n```" });
  await expect(commentsOn(page)).toContainText("2 comments");
  await commentsOn(page)
    .getByRole("button", { name: /^\d+ comments?$/ })
    .press("Enter");
  await commentsOn(page).getByRole("button", { name: "Remove comment" }).first().press("Enter");
  await expect(commentsOn(other)).toContainText("1 comment");
  await commentsOn(other).getByRole("button", { name: "Send to the agent" }).press("Enter");
  for (const one of [page, other]) await expect(commentsOn(one)).toHaveCount(0);
  await expect
    .poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body)
    .toMatchObject({
      status: "completed",
      turns: 2,
    });
});

test("on a touch screen lines are tapped, from the first to the last", async ({ browser, session, product }) => {
  const api = await ApiClient.create(product);
  const long = `${"a-very-long-name-".repeat(14)}.txt`.slice(-200);
  const runId = await endedRun(api, `seq 1 40 > ${long}; seq 1 3 > short.txt; head -c 300 /dev/zero > zeros.bin`);
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
  await context.addCookies(session);
  const page = await context.newPage();
  await page.goto(changesOf(product, runId));
  await page.getByRole("button", { name: "Files" }).tap();
  await page.getByRole("treeitem", { name: long }).tap();
  const file = fileOn(page, long);
  await file.getByRole("button", { name: "Line 3, added" }).tap();
  await file.getByRole("button", { name: "Line 6, added" }).tap();
  const field = page.getByRole("textbox", { name: `Comment on ${long}, lines 3–6` });
  await field.fill("Shorter.\n\n```sh\ntrue\n```");
  await commentsOn(page).getByRole("button", { name: "Add comment" }).tap();
  await expect(file.getByRole("button", { name: "Line 4, added, has a comment" })).toBeVisible();
  await expect(fileOn(page, "zeros.bin")).toContainText("binary");
  await commentsOn(page)
    .getByRole("button", { name: /^\d+ comments?$/ })
    .tap();
  expect(await findings(page)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await commentsOn(page).getByRole("button", { name: "Send to the agent" }).tap();
  await expect(commentsOn(page)).toHaveCount(0);
  await expect
    .poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body)
    .toMatchObject({
      status: "completed",
      turns: 2,
    });
  await context.close();
});

test("viewers, readers of a share link and runs of other systems cannot comment", async ({
  signedIn: page,
  product,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  const { body: invited } = await api.ask("POST", "/invitations", { role: "viewer" });
  const context = await browser.newContext();
  const viewer = await context.newPage();
  const person = { full_name: "Reviewer", email: "reviewer@example.com", password: "correct horse battery" };
  const joined = await viewer.request.post(`${product.url}/v1/invitations/${invited.code}/accept`, { data: person });
  expect(joined.status()).toBe(200);
  await viewer.goto(changesOf(product, runId));
  await expect(fileOn(viewer, "numbers.txt")).toContainText("9");
  await expect(viewer.getByRole("button", { name: /^Line / })).toHaveCount(0);
  await inspect(viewer, "changes, viewer");
  await api.ask("DELETE", `/users/${(await joined.json()).user.id}`);

  const { body: share } = await api.ask("POST", `/agent/run/${runId}/shares`, {});
  // The run's page would go to the sign-in page in the middle of what follows.
  await viewer.goto("about:blank");
  await context.clearCookies();
  await viewer.goto(`${String(share.url)}?tab=changes`);
  await expect(viewer.getByRole("article").first()).toBeVisible();
  await expect(viewer.getByRole("link", { name: "Changes" })).toHaveCount(0);
  await expect(viewer.getByRole("region", { name: /^(Comments|Changed files)$/ })).toHaveCount(0);
  await context.close();

  const { body: external } = await api.ask("POST", "/agent/run", { prompt: "Elsewhere", agent: "external" });
  const edit = {
    message_type: "ACTION",
    tool_call_id: "e1",
    tool_name: "Edit",
    tool_input: { file_path: "/a/told.txt", old_string: "one", new_string: "two" },
    tool_output: { status: "completed" },
  };
  await api.ask("POST", `/agent/run/${external.id}/logs`, { entries: [edit] });
  await api.ask("PATCH", `/agent/run/${external.id}`, { status: "completed", result: "Done." });
  await page.goto(changesOf(product, Number(external.id)));
  await expect(page.getByText("told.txt").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Line / })).toHaveCount(0);
  await expect(commentsOn(page)).toHaveCount(0);
});

test("empty, loading and unavailable changes each have a message", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const empty = await endedRun(api, "true");
  await page.goto(changesOf(product, empty));
  await expect(page.getByText("The run ended without changing any files.")).toBeVisible();
  await inspect(page, "no changes");

  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const problem = { detail: "The mirror is being repaired.", code: "conflict", request_id: "req_2" };
  await page.route(`**/agent/run/${runId}/diff*`, async (route) => {
    await held;
    await route.fulfill({ status: 409, json: problem });
  });
  await page.goto(changesOf(product, runId));
  await expect(page.getByRole("status").filter({ hasText: "Loading the changes" })).toBeVisible();
  release();
  await expect(page.getByText("The changes could not be loaded")).toBeVisible();
  await inspect(page, "changes that could not be loaded");
  await page.unroute(`**/agent/run/${runId}/diff*`);
  await page.getByRole("button", { name: "Try again" }).press("Enter");
  await expect(fileOn(page, "numbers.txt")).toContainText("9");
});

test("comments sent from two pages at the same moment become one turn", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const runId = await endedRun(api, "seq 1 9 > numbers.txt");
  await page.goto(changesOf(product, runId));
  await comment(page, { file: "numbers.txt", line: 2, text: steps("echo sent > sent.txt") });
  const other = await page.context().newPage();
  await other.goto(changesOf(product, runId));
  const pages = [page, other];
  const under = Promise.withResolvers<void>();
  let sent = 0;
  for (const each of pages) {
    await each.route("**/agent/run/resume", async (route) => {
      sent += 1;
      if (sent === pages.length) under.resolve();
      await under.promise;
      await route.continue();
    });
  }
  for (const each of pages) await commentsOn(each).getByRole("button", { name: "Send to the agent" }).click();
  for (const each of pages) await expect(commentsOn(each)).toHaveCount(0);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
  expect((await api.ask("GET", `/agent/run/${runId}`)).body.turns).toBe(2);
});
