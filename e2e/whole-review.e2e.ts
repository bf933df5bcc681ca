import type { Page } from "@playwright/test";
import { endedRun, fact, fullName, test } from "./connected.ts";
import { tabTo } from "./keyboard.ts";
import { findings, narrow, overflow, showIn, wide } from "./look.ts";
import { expect, signIn } from "./test.ts";

const steps = (words: string, command: string) => `${words}\n\n\`\`\`sh\n${command}\n\`\`\``;
const prompt = steps("Count.", "seq 1 9 > numbers.txt; echo two > a.txt; echo words > notes.txt");
const wanted = steps("Count on.", "echo ten >> notes.txt");

/** Controls that both journeys use. */
function controlsOf(page: Page) {
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const comments = page.getByRole("region", { name: "Comments" });
  const work = page.getByRole("region", { name: "Changed files" });
  const pull = work.getByRole("region", { name: "Pull request" });
  const dialog = page.getByRole("dialog", { name: "Open a pull request" });
  return {
    ...{ button, comments, work, pull, dialog },
    row: page.getByRole("link").filter({ hasText: "Count." }),
    changes: page.getByRole("navigation", { name: "Views of the run" }).getByRole("link", { name: "Changes" }),
    file: (name: string) => page.getByRole("region", { name, exact: true }),
    header: (name: string) => page.getByRole("region", { name, exact: true }).getByRole("button", { name }),
    viewed: (name: string) => page.getByRole("checkbox", { name: `Viewed: ${name}` }),
    field: page.getByRole("textbox", { name: /^Comment on/ }),
    send: comments.getByRole("button", { name: "Send to the agent" }),
    since: page.getByRole("combobox", { name: "Changes to show" }),
    useWork: work.getByText("Use this work", { exact: true }),
    copyFetch: work.getByRole("button", { name: "Copy the command: Fetch the branch" }),
    openPull: pull.getByRole("button", { name: "Open pull request" }),
    link: page.locator("header").getByRole("link", { name: /^#\d+/ }),
  };
}

test("by keyboard alone: files are read, commented on, sent to the agent, read again, fetched and opened as a pull request", async ({
  page,
  connected: { host, product, api, repoId },
}) => {
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
  };
  const runId = await endedRun(api, prompt, repoId);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.url });
  await signIn(page, product);
  await showIn(page, wide);
  const { row, changes, header, file, viewed, field, comments, send, since, ...rest } = controlsOf(page);
  const { useWork, copyFetch, openPull, dialog, work, link } = rest;

  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await tabTo(page, changes);
  await page.keyboard.press("Enter");
  await expect(work.getByRole("heading", { name: "3 files changed" })).toBeVisible();

  // Files.
  await page.keyboard.press("n");
  await expect(header("a.txt")).toBeFocused();
  await page.keyboard.press("n");
  await expect(header("notes.txt")).toBeFocused();
  await page.keyboard.press("p");
  await expect(header("a.txt")).toBeFocused();
  await tabTo(page, viewed("a.txt"));
  await page.keyboard.press("Space");
  await expect(viewed("a.txt")).toBeChecked();
  await expect(header("a.txt")).toHaveAttribute("aria-expanded", "false");
  await expect(viewed("a.txt"), "the tick keeps the focus").toBeFocused();

  // A comment.
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await expect(header("numbers.txt")).toBeFocused();
  await tabTo(page, file("numbers.txt").getByRole("button", { name: "Line 1, added" }));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleName("Comment on numbers.txt, lines 2–3");
  await page.keyboard.type(wanted);
  await page.keyboard.press("Control+Enter");
  await expect(comments).toContainText("1 comment");
  const commented = file("numbers.txt").getByRole("button", { name: "Line 3, added, has a comment" });
  await expect(commented, "back to where it was chosen").toBeFocused();

  // The next turn.
  await tabTo(page, send);
  await page.keyboard.press("Enter");
  await expect(comments).toHaveCount(0);
  await expect(work, "reading continues in the changes").toBeFocused();
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
  await tabTo(page, since);
  await page.keyboard.press("ArrowDown");
  await expect(since).toHaveValue("1");
  await expect(work.getByRole("heading", { name: "1 file changed" })).toBeVisible();
  await expect(file("notes.txt")).toContainText("ten");
  await expect(file("numbers.txt")).toHaveCount(0);
  await expect(since, "the choice keeps the focus").toBeFocused();

  // The work.
  await tabTo(page, useWork);
  await page.keyboard.press("Enter");
  await tabTo(page, copyFetch);
  await page.keyboard.press("Enter");
  const fetching = `git fetch ${product.url}/git/1/${repoId}.git errand/run-${runId}`;
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(fetching);
  await tabTo(page, openPull);
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(openPull, "given up, the dialog returns the focus").toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Title")).toBeFocused();
  await page.keyboard.type("Count to ten");
  await tabTo(page, dialog.getByRole("checkbox", { name: "Draft" }));
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Open pull request" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(link).toHaveAttribute("href", /\/pull\/\d+$/);
  await expect(fact(page)).toContainText("Waiting for checks");
  expect(host.pullsOf(fullName).map(({ title, draft }) => [title, draft])).toEqual([["Count to ten", false]]);
  await expect(rest.pull, "the button is gone, and its part of the page has the focus").toBeFocused();
  await tabTo(page, rest.pull.getByRole("link", { name: /^#\d+/ }));
  await tabTo(page, link, "Shift+Tab");
});

test.describe("at 375 px", () => {
  test.use({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });

  test("by touch: files are read, commented on, sent to the agent, read again, fetched and opened as a pull request", async ({
    page,
    connected: { host, product, api, repoId },
  }) => {
    host.onPush = ({ after }) => {
      if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
    };
    const runId = await endedRun(api, prompt, repoId);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.url });
    await signIn(page, product);
    await showIn(page, narrow);
    const { row, changes, button, file, viewed, field, comments, send, since, ...rest } = controlsOf(page);
    const { useWork, copyFetch, openPull, dialog, work, link, pull } = rest;
    const fits = async (stage: string) => {
      expect(await overflow(page), stage).toBeLessThanOrEqual(0);
      expect(await findings(page), stage).toEqual([]);
    };

    await fits("the runs");
    await row.tap();
    await changes.tap();
    await expect(work.getByRole("heading", { name: "3 files changed" })).toBeVisible();
    await fits("the changes");
    await button("Files").tap();
    await expect(page.getByRole("tree")).toBeVisible();
    await fits("the files");
    await page.getByRole("treeitem", { name: "notes.txt" }).tap();
    await expect(page.getByRole("tree")).toBeHidden();
    await viewed("a.txt").tap();
    await expect(work).toContainText("1 viewed");

    await file("numbers.txt").getByRole("button", { name: "Line 2, added" }).tap();
    await file("numbers.txt").getByRole("button", { name: "Line 3, added" }).tap();
    await expect(field).toHaveAccessibleName("Comment on numbers.txt, lines 2–3");
    await field.tap();
    await page.keyboard.type(wanted);
    await fits("a comment being written");
    await comments.getByRole("button", { name: "Add comment" }).tap();
    await comments.getByRole("button", { name: "1 comment" }).tap();
    await fits("the comments");
    await send.tap();
    await expect(comments).toHaveCount(0);
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
    await since.selectOption("Since turn 1");
    await expect(work.getByRole("heading", { name: "1 file changed" })).toBeVisible();
    await expect(file("notes.txt")).toContainText("ten");
    await fits("the changes since turn 1");

    await useWork.tap();
    await copyFetch.tap();
    const fetching = `git fetch ${product.url}/git/1/${repoId}.git errand/run-${runId}`;
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(fetching);
    await fits("use this work");
    await openPull.tap();
    await dialog.getByLabel("Title").tap();
    await page.keyboard.type("Count to ten");
    await fits("the dialog");
    await dialog.getByRole("button", { name: "Open pull request" }).tap();
    await expect(dialog).toBeHidden();
    await expect(link).toHaveAttribute("href", /\/pull\/\d+$/);
    await expect(fact(page)).toContainText("Waiting for checks");
    expect(host.pullsOf(fullName).map(({ title, draft }) => [title, draft])).toEqual([["Count to ten", true]]);
    await expect(pull.getByRole("link", { name: /^#\d+/ })).toBeVisible();
    await fits("the run with its pull request");
  });
});
