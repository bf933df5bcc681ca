import { ApiClient } from "./api.ts";
import { findings, inspect, narrow, overflow, showIn, wide } from "./look.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

const longName = `${"a-module-whose-name-nobody-wanted-to-shorten-".repeat(4)}.ts`.slice(-130);

test("many changed files, one with a long name: the header stays in place, and the page fits the window", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const command = `for n in $(seq 1 140); do seq 1 60 > file-$n.txt; done; echo 1 > ${longName}`;
  const prompt = `Write.\n\`\`\`sh\n${command}\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");

  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const files = page.getByRole("region", { name: "Changed files" });
  await expect(files.getByRole("heading", { name: "141 files changed" })).toBeVisible();
  for (const name of ["file-140.txt", "file-49.txt"]) {
    await page.getByRole("searchbox", { name: "Filter files" }).fill(name);
    await page.getByRole("treeitem", { name }).click();
    await expect(page.getByRole("region", { name })).toBeInViewport();
  }
  const focused = files.getByRole("region").filter({ has: page.locator(":focus") });
  await expect(focused).toHaveAccessibleName("file-49.txt");
  // Its neighbor belongs to another group of files.
  await page.keyboard.press("n");
  await expect(focused).toHaveAccessibleName("file-50.txt");
  await page.keyboard.press("p");
  await expect(focused).toHaveAccessibleName("file-49.txt");
  const tab = page.getByRole("navigation", { name: "Views of the run" });
  await expect(tab).toBeInViewport({ ratio: 1 });
  const tall = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(await tall(), "only the list of changes is scrolled").toBeLessThanOrEqual(0);

  await page.setViewportSize({ width: 375, height: 812 });
  await expect(page.getByRole("tree")).toBeHidden();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await wide(), "as wide as the window").toBeLessThanOrEqual(0);
  for (const name of [longName, "file-1.txt"]) {
    await page.getByRole("button", { name: "Files" }).click();
    await page.getByRole("searchbox", { name: "Filter files" }).fill(name);
    await page.getByRole("treeitem", { name }).press("Enter");
    const box = await page.getByRole("region", { name, exact: true }).boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(375);
  }
  await expect(page.getByRole("navigation", { name: "Main" }).last()).toBeInViewport({ ratio: 1 });
});

test("changes say that the checkout has work that the branch lacks", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  for (const [command, title] of [
    ["git clone --quiet . copy && git -C copy remote -v", "No changes"],
    ["git clone --quiet . copy && echo new > new.txt", "1 file changed"],
  ]) {
    const prompt = `Copy.\n\`\`\`sh\n${command}\n\`\`\``;
    const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps", repo_id: repository.id });
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
    await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
    await expect(page.getByRole("heading", { name: title })).toBeVisible();
    const note = page.getByText("1 item in the checkout is not in this branch, or differs there.");
    await expect(note).toBeVisible();
    await expect(page.getByText("ended without changing any files")).toHaveCount(0);
    await expect(page.locator("header").getByRole("link", { name: "1 item not in the branch" })).toBeVisible();
  }
  await page.getByText("Use this work").click();
  const notSent = page.getByText("1 item in the checkout is not in the branch, so not sent.");
  await expect(
    page.getByRole("region", { name: "Push the branch" }).and(page.locator(":has-text('not sent')")),
  ).toBeVisible();
  await page.getByRole("region", { name: "Pull request" }).getByRole("button").click();
  await expect(page.getByRole("dialog").and(page.locator(":has-text('not sent')"))).toBeVisible();
  await expect(notSent).toHaveCount(2);
  await expect(page.getByRole("dialog").getByRole("link", { name: "See which" })).toHaveAttribute("target", "_blank");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "See which, and what to do" }).click();
  await expect(page.getByText("To keep this work, resume the run")).toBeVisible();
  await page.goto(`${product.url}/runs`);
  await expect(page.getByRole("link").filter({ hasText: "Copy." }).first()).toContainText("1 item not in the branch");
});

test("a changed mode, which a patch applies too, is shown at the file", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: repository } = await api.ask("POST", "/repos", { source: makeRepository() });
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: 'Look.\n```sh\nchmod +x "$(git ls-files | head -1)"; echo true > new.sh; chmod +x new.sh\n```',
    agent: "steps",
    repo_id: repository.id,
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const changed = page.getByRole("region", { name: "Changed files" });
  await expect(changed.getByText("now executable", { exact: true })).toBeVisible();
  await expect(changed.getByRole("region", { name: "new.sh" })).toContainText("added, executable");
});

test("a file's header stays visible, and its tick closes it, survives a reload and disappears with another change", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const write = (from: number) => `Write.\n\`\`\`sh\nseq ${from} 150 > long.txt; seq 1 40 > short.txt\n\`\`\``;
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: write(1), agent: "steps" });
  const ended = (turns: number) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  await ended(1);

  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const long = page.getByRole("region", { name: "long.txt" });
  const header = long.getByRole("button", { name: "long.txt" });
  await long.hover();
  await page.mouse.wheel(0, 1500);
  await expect(page.getByRole("heading", { name: "2 files changed" })).not.toBeInViewport();
  await expect(header, "it stays while its diff is read").toBeInViewport({ ratio: 1 });

  const tick = long.getByRole("checkbox", { name: "Viewed: long.txt" });
  await tick.focus();
  await page.keyboard.press("Space");
  await expect(header).toHaveAttribute("aria-expanded", "false");
  await expect(header, "the place is kept").toBeInViewport({ ratio: 1 });
  const summary = page.getByRole("region", { name: "Changed files" });
  await expect(summary).toContainText("1 viewed");
  await page.getByRole("checkbox", { name: "Viewed: short.txt" }).click();
  await expect(summary).toContainText("all viewed");

  await page.reload();
  await expect(tick).toBeChecked();
  await expect(header).toHaveAttribute("aria-expanded", "false");
  await header.click();
  await expect(header).toHaveAttribute("aria-expanded", "true");

  await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: write(2) });
  await ended(2);
  await expect(tick).not.toBeChecked();
  await expect(summary).toContainText("1 viewed");
  await inspect(page, "many changed files");
});

test("lines are commented on with the keyboard, the comments become the next turn, and its changes can be shown alone", {
  tag: "@short",
}, async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const prompt = "Write.\n```sh\nmkdir src; seq 1 30 > src/numbers.txt; echo one > first.txt\n```";
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  const ended = (turns: number) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  await ended(1);
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  await showIn(page, wide);
  const numbers = page.getByRole("region", { name: "src/numbers.txt" });
  await expect(numbers).toBeVisible();

  await page.keyboard.press("n");
  await expect(page.getByRole("button", { name: "src/numbers.txt" })).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("button", { name: "first.txt" })).toBeFocused();
  await page.keyboard.press("p");
  await expect(page.getByRole("button", { name: "src/numbers.txt" })).toBeFocused();

  await numbers.getByRole("button", { name: "Line 1, added" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Enter");
  const field = page.getByRole("textbox", { name: "Comment on src/numbers.txt, lines 2–3" });
  await expect(field).toBeFocused();
  await field.fill("Add a line.\n\n```sh\necho two > second.txt\n```");
  await page.keyboard.press("Control+Enter");
  const comments = page.getByRole("region", { name: "Comments" });
  await expect(comments).toContainText("1 comment");
  await expect(numbers.getByRole("button", { name: "Line 2, added, has a comment" })).toBeVisible();

  await numbers.getByRole("button", { name: "Line 5, added" }).click();
  await page.getByRole("textbox", { name: "Comment on src/numbers.txt, line 5" }).fill("To be removed");
  await comments.getByRole("button", { name: "Add comment" }).press("Enter");
  await expect(comments).toContainText("2 comments");
  await page.reload();
  await expect(comments).toContainText("2 comments");
  for (const view of [wide, narrow]) {
    await showIn(page, view);
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
  await comments.getByRole("button", { name: /^\d+ comments?$/ }).press("Enter");
  await comments.getByRole("button", { name: "Remove comment" }).last().press("Enter");
  await expect(comments).toContainText("1 comment");
  await comments.getByRole("button", { name: "Send to the agent" }).press("Enter");
  await expect(comments).toBeHidden();
  await ended(2);
  const { logs } = (await api.ask("GET", `/agent/run/${run.id}/logs?message_type=USER_MESSAGE`)).body;
  expect(JSON.stringify(logs)).toContain("`src/numbers.txt`, lines 2–3:\\n\\n```\\n+2\\n+3\\n```\\n\\nAdd a line.");

  await page.getByRole("combobox", { name: "Changes to show" }).selectOption("Since turn 1");
  await expect(page.getByRole("heading", { name: "1 file changed" })).toBeVisible();
  await expect(page.getByRole("region", { name: "second.txt" })).toBeVisible();
  await expect(numbers).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get("since")).toBe("1");
});

test("white space can be ignored, lines around a change can be shown, and an image is shown before and after", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const png = (pixel: string) =>
    `echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42m${pixel}AAAABJRU5ErkJggg== | base64 -d > dot.png`;
  const first = `seq 1 60 > long.txt; printf 'a\\nb\\n' > space.txt; ${png("P8z8BQDwAEhQGAhKmMIQ")}`;
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: `Write.\n\`\`\`sh\n${first}\n\`\`\``,
    agent: "steps",
  });
  const completed = (turns: number) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  await completed(1);
  const second = `sed -i 's/^30$/thirty/' long.txt; printf ' a\\nb\\n' > space.txt; ${png("Nk+M9QDwADhgGAWjR9aw")}`;
  await api.ask("POST", "/agent/run/resume", {
    agent_run_id: run.id,
    prompt: `Write.\n\`\`\`sh\n${second}\n\`\`\``,
  });
  await completed(2);
  await page.goto(`${product.url}/runs/${run.id}?tab=changes&since=1`);
  const long = page.getByRole("region", { name: "long.txt" });
  await expect(long).toContainText("thirty");
  await expect(long.getByText("1", { exact: true })).toHaveCount(0);
  await long.getByRole("button", { name: "⋯ Show lines" }).first().press("Enter");
  await expect(long.getByRole("button", { name: "Line 1", exact: true })).toBeVisible();

  const space = page.getByRole("region", { name: "space.txt" });
  await page.getByRole("button", { name: "Ignore whitespace" }).press("Enter");
  await expect(space).toContainText("Only whitespace changed.");
  const dot = page.getByRole("region", { name: "dot.png" });
  await expect(dot.getByRole("img")).toHaveCount(2);
  for (const view of [wide, narrow]) {
    await showIn(page, view);
    expect(await findings(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
});

test("after another turn the lines around a change are those of its file", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const write = (command: string) => `Write.\n\`\`\`sh\n${command}\n\`\`\``;
  const completed = (turns: number, id: unknown) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  const source = makeRepository({ "long.txt": Array.from({ length: 60 }, (_, at) => `line ${at + 1}\n`).join("") });
  const { body: repository } = await api.ask("POST", "/repos", { source });
  const { body: run } = await api.ask("POST", "/agent/run", {
    ...{ prompt: write("sed -i 's/^line 30$/thirty/' long.txt"), agent: "steps", repo_id: repository.id },
  });
  await completed(1, run.id);
  await page.goto(`${product.url}/runs/${run.id}?tab=changes`);
  const long = page.getByRole("region", { name: "long.txt" });
  await long.getByRole("button", { name: "⋯ Show lines" }).first().press("Enter");
  await expect(long.getByText("line 1", { exact: true })).toBeVisible();
  await page.getByRole("textbox", { name: "Continue the run" }).fill(write("sed -i '1s/.*/first/' long.txt"));
  await page.keyboard.press("Control+Enter");
  await completed(2, run.id);
  await expect(long.getByText("first", { exact: true })).toBeVisible();
  await expect(long.getByText("thirty", { exact: true })).toBeVisible();
  await long.getByRole("button", { name: "⋯ 22 unchanged lines" }).press("Enter");
  await expect(long.getByText("line 15", { exact: true })).toBeVisible();
  await expect(long.getByText(/cannot be shown/)).toHaveCount(0);
});
