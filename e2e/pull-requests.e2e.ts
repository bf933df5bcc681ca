import { ApiClient } from "./api.ts";
import { endedRun, fact, fullName, test, writes } from "./connected.ts";
import { findings, inspect, narrow, overflow, showIn } from "./look.ts";
import { makeRepository } from "./repository.ts";
import { expect, signIn } from "./test.ts";

test("by keyboard: a run's work becomes a pull request, and the agent fixes its failed check", async ({
  page,
  connected: { host, product, api, repoId, tellHost },
}) => {
  const settings = {
    custom_prompts: { build: "```sh\necho three > a.txt\n```" },
    // Checks that fail there go to the agent at once, without waiting for the others.
    high_priority_apps: ["github-actions"],
  };
  expect((await api.ask("PUT", `/repos/check-suite-settings?repo_id=${repoId}`, settings)).status).toBe(200);
  let pushes = 0;
  host.onPush = ({ after }) => {
    pushes += 1;
    if (after === null) return;
    const log = "::error::expected three\n";
    const annotations = [{ path: "a.txt", line: 1, level: "failure", message: "expected three" }] as const;
    const failed = { name: "build", conclusion: "failure", log, annotations } as const;
    host.setCheck(fullName, after, { name: "lint", conclusion: "success" });
    host.setCheck(fullName, after, pushes === 1 ? failed : { name: "build", conclusion: "success" });
  };
  const runId = await endedRun(api, writes("two"), repoId);
  expect(host.pullsOf(fullName), "nothing leaves without a click").toEqual([]);

  await signIn(page, product);
  await page.goto(`${product.url}/runs/${runId}`);
  await page.getByRole("button", { name: "Open pull request" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Open a pull request" });
  await expect(dialog.getByText(`errand/run-${runId} → main`)).toBeVisible();
  await expect(dialog.getByText("team/app on GitHub")).toBeVisible();
  await expect(dialog.getByLabel("Title")).toBeFocused();
  expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
  await page.keyboard.type("Count to two");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(fact(page)).toContainText(/Pushing|Opening|Checking|Waiting/);
  await expect(page.getByRole("group", { name: "Actions" }), "the button is gone").toBeFocused();
  const link = page.locator("header").getByRole("link", { name: /^#\d+/ });
  await expect(link).toHaveAttribute("href", /\/pull\/\d+$/, { timeout: 60_000 });
  await expect(fact(page)).toContainText("Waiting for checks");
  expect(host.pullsOf(fullName).map(({ title, draft }) => [title, draft])).toEqual([["Count to two", true]]);

  await expect
    .poll(
      async () => {
        await tellHost();
        return (await api.ask("GET", `/agent/run/${runId}`)).body.pull_request;
      },
      { timeout: 120_000, intervals: [2000] },
    )
    .toMatchObject({ round: 1 });
  await expect(fact(page)).toContainText("round 1 of 3", { timeout: 60_000 });
  // The list says the same.
  const list = await page.context().newPage();
  await list.goto(`${product.url}/runs`);
  const row = list.getByRole("link").filter({ hasText: "Write two." });
  await expect(row).toContainText(/round 1 of 3/);
  await inspect(list, "runs, one waits for checks");
  await list.close();

  await expect
    .poll(
      async () => {
        await tellHost();
        return (await api.ask("GET", `/agent/run/${runId}`)).body.status;
      },
      { timeout: 120_000, intervals: [2000] },
    )
    .toBe("completed");
  await expect(fact(page)).toContainText("Draft");
  await expect(fact(page)).toContainText("all 2 checks passed");

  const steps = page.getByRole("article");
  const card = (name: string) => steps.filter({ has: page.getByRole("heading", { name, exact: true }) });
  await expect(card("Ready to push").first()).toContainText("1 file");
  const opened = card("Opened a pull request");
  await expect(opened.getByRole("link", { name: /Count to two/ })).toHaveAttribute("rel", /nofollow/);
  await opened.getByRole("button", { name: "Description" }).press("Enter");
  await expect(opened.getByText("Requested by:")).toBeVisible();
  const red = card("1 of 2 checks failed");
  await expect(red.getByText("a.txt:1")).toBeVisible();
  await expect(red.getByText("::error::expected three")).toBeVisible();
  await expect(card("Fixing failed checks, round 1 of 3").getByText("build")).toBeVisible();
  await page.keyboard.press("Shift+G");
  await expect(card("2 checks passed")).toBeVisible();
  const result = card("Result: All checks passed");
  await expect(result.getByRole("link", { name: /^#\d+/ })).toBeVisible();
  await result.getByRole("button", { name: /as stored/ }).press("Enter");
  await expect(page.getByRole("article", { name: /Pull request result$/ })).toContainText("verdict");
  await inspect(page, "a run with a pull request");

  for (const format of ["html", "markdown"]) {
    const text = await (await api.fetch(`/agent/run/${runId}/export?format=${format}`)).text();
    expect(text).toContain("1 of 2 checks failed");
  }
});

test("at 375 px: a draft is opened from the menu, its checks are awaited, and cancelling stops that", async ({
  page,
  connected: { host, product, api, repoId },
}) => {
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: null });
  };
  const runId = await endedRun(api, writes("two"), repoId);
  await signIn(page, product);
  await page.goto(`${product.url}/runs/${runId}?tab=changes`);
  await showIn(page, narrow);
  await page.getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Open pull request" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Open a pull request" });
  await dialog.getByRole("combobox", { name: "Base branch" }).press("Enter");
  await expect(page.getByRole("listbox")).toBeVisible();
  await page.keyboard.type("nowhere..");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox", { name: "Base branch" })).toContainText("nowhere..");
  await dialog.getByRole("checkbox", { name: "Draft" }).press("Space");
  await dialog.getByRole("button", { name: "Open pull request" }).press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Base branch");
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
  await dialog.getByRole("combobox", { name: "Base branch" }).press("Enter");
  await page.keyboard.type("main");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Open pull request" }).press("Enter");
  await expect(dialog).toBeHidden();
  await expect(fact(page)).toContainText("Waiting for checks", { timeout: 60_000 });
  expect(host.pullsOf(fullName).map(({ draft }) => draft)).toEqual([false]);
  await page.getByText("Use this work", { exact: true }).press("Enter");
  const way = page.getByRole("region", { name: "Pull request" });
  await expect(way.getByRole("link", { name: /^#\d+/ })).toBeVisible();
  await inspect(page, "a pull request that waits for checks");

  await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).press("Enter");
  await expect(way.getByRole("button", { name: "Update pull request" })).toBeVisible({ timeout: 60_000 });
  await expect(fact(page)).not.toContainText("Waiting");
  // An ended run is still told about its pull request.
  const pull = (await api.ask("GET", `/agent/run/${runId}`)).body.pull_request as { id: number };
  expect((await api.ask("PATCH", `/prs/${pull.id}`, { state: "draft" })).body.success).toBe(true);
  await expect(fact(page)).toContainText("Draft", { timeout: 60_000 });
});

test("obstacles to a pull request are shown before anything is sent", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository({ "a.txt": "one\n" }) });
  const repoId = Number(repository.id);
  const settings = `/repos/${repoId}/pull-settings`;
  const runId = await endedRun(api, writes("two"), repoId);
  const open = async () => {
    await page.goto(`${product.url}/runs/${runId}?tab=changes`);
    await page.getByText("Use this work", { exact: true }).press("Enter");
    const way = page.getByRole("region", { name: "Pull request" });
    await way.getByRole("button", { name: "Open pull request" }).press("Enter");
    return page.getByRole("dialog", { name: "Open a pull request" });
  };

  expect((await api.ask("PUT", settings, { mode: "off" })).status).toBe(200);
  const refused = await open();
  await expect(refused.getByText("Pull requests are turned off for this repository")).toBeVisible();
  expect(await findings(page, { part: "[role=dialog]" })).toEqual([]);
  await refused.getByRole("link", { name: "Repository settings" }).press("Enter");
  await expect(page).toHaveURL(`${product.url}/repositories/${repoId}#pull-requests-heading`);
  const form = page.getByRole("form", { name: "Pull requests" });
  await form.getByRole("radio", { name: "On request" }).press("Space");
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Pull request settings saved").first()).toBeVisible();
  expect((await api.ask("GET", settings)).body.mode).toBe("manual");

  const folder = await open();
  await expect(folder.getByText(/is a folder, which has no pull requests/)).toBeVisible();
  await folder.getByRole("button", { name: "Push the branch" }).press("Enter");
  await expect(fact(page)).toContainText("Branch pushed", { timeout: 60_000 });

  // A key in the work prevents it from being pushed.
  const unfit = await endedRun(api, writes(`AKIA${"QWERTYUIOP234567"}`), repoId);
  await page.goto(`${product.url}/runs/${unfit}`);
  await page.getByRole("button", { name: "Open pull request" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Push the branch" }).press("Enter");
  await expect(fact(page)).toContainText("Not opened", { timeout: 60_000 });
  const card = page.getByRole("article").filter({ hasText: "Not ready to push" }).first();
  await expect(card).toContainText("a.txt:1 it contains what looks like a key");
  await page.getByRole("button", { name: "Open pull request" }).press("Enter");
  await expect(page.getByRole("dialog").getByText("Let the agent fix this")).toBeVisible();
  await page.keyboard.press("Escape");
  await inspect(page, "a run whose work is not fit to be pushed");
});

test("a repository's settings for pull requests and checks are changed by keyboard, and can be read by a viewer", async ({
  signedIn: page,
  product,
  browser,
}) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository({ "a.txt": "one\n" }) });
  const address = `${product.url}/repositories/${repository.id}`;
  const pulls = `/repos/${repository.id}/pull-settings`;
  const checks = `/repos/check-suite-settings?repo_id=${repository.id}`;
  await page.goto(address);
  const form = page.getByRole("form", { name: "Pull requests" });
  await expect(page.getByText("The source of this repository is a folder")).toBeVisible();
  await expect(form.getByRole("radio", { name: "Automatic" }), "a folder gets branches on request only").toBeDisabled();
  await form.getByRole("radio", { name: "Off" }).press("Space");
  await form.getByRole("radio", { name: "Before every push" }).press("Space");
  await form.getByRole("textbox", { name: "Commit email" }).fill("nobody");
  await form.getByRole("button", { name: "Save" }).press("Enter");
  await expect(form.getByRole("alert")).toContainText("Commit email must be an email address");
  expect((await api.ask("GET", pulls)).body.mode, "nothing is half saved").toBe("manual");
  await form.getByRole("textbox", { name: "Commit email" }).fill("bot@example.com");
  await form.getByRole("checkbox", { name: "Sign commits with an SSH key" }).press("Space");
  await form.getByRole("textbox", { name: "Commit email" }).press("Enter");
  await expect(page.getByRole("button", { name: "Copy the public key" })).toBeVisible();
  expect((await api.ask("GET", pulls)).body).toMatchObject({
    ...{ mode: "off", local_checks: "before_push", commit_email: "bot@example.com", signing: "ssh" },
    ...{ draft: true, base_branch: null },
  });

  const single = page.getByRole("form", { name: "Checks" });
  await single.getByRole("button", { name: "Add a check" }).press("Enter");
  await single.getByRole("button", { name: "Save" }).press("Enter");
  await expect(single.getByText("Choose or type the check's name.")).toBeVisible();
  await single.getByRole("combobox", { name: "Check" }).press("Enter");
  await page.keyboard.type("flaky");
  await page.keyboard.press("Enter");
  await expect(single.getByRole("combobox", { name: "Check" })).toHaveText("flaky");
  await single.getByRole("checkbox", { name: "Ignore it" }).press("Space");
  await single.getByRole("combobox", { name: "Fix rounds" }).first().press("Enter");
  await page.getByRole("option", { name: "5 times" }).press("Enter");
  await expect(single.getByRole("combobox", { name: "Fix rounds" }).first()).toContainText("5 times");
  await inspect(page, "a repository's settings for pull requests");
  await single.getByRole("button", { name: "Save" }).press("Enter");
  await expect(page.getByText("Check settings saved").first()).toBeVisible();
  expect((await api.ask("GET", checks)).body).toMatchObject({ check_retry_count: 5, ignored_checks: ["flaky"] });

  const { body: invited } = await api.ask("POST", "/invitations", { role: "viewer" });
  const context = await browser.newContext();
  const person = { full_name: "Reader", email: "pulls-reader@example.com", password: "correct horse battery" };
  const accept = `${product.url}/v1/invitations/${invited.code}/accept`;
  expect((await context.request.post(accept, { data: person })).status()).toBe(200);
  const reading = await context.newPage();
  await reading.goto(address);
  const shown = reading.getByRole("form", { name: "Pull requests" });
  await expect(shown.getByRole("radio", { name: "Off" })).toBeChecked();
  for (const radio of await shown.getByRole("radio").all()) await expect(radio).toBeDisabled();
  await expect(reading.getByText(/^Your role here \(viewer\) does not allow this/).first()).toBeVisible();
  await expect(reading.getByRole("button", { name: "Add a check" })).toHaveCount(0);
  await context.close();
});
