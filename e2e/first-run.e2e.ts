import type { Page } from "@playwright/test";
import { processesWith } from "./processes.ts";
import { makeRepository } from "./repository.ts";
import { expect, signIn, test } from "./test.ts";

const steps = (marker: string) => `Greet, and see that it works.

\`\`\`sh
echo "before ${marker}"; cat README.md
\`\`\`

Now the greeting:

\`\`\`js path=greet.mjs
export const greet = (name) => \`Hello, \${name}!\`;
\`\`\`

\`\`\`sh
for i in 1 2 3 4; do printf '\\033[32mok\\033[0m test %s\\n' $i; sleep 0.2; done
\`\`\`

\`\`\`sh
echo "about to fail"; exit 7
\`\`\`

\`\`\`sh
echo never reached
\`\`\`
`;

test("a newcomer adds a repository, starts a run, watches it live, resumes it and cancels a long one", {
  tag: "@short",
}, async ({ signedIn: page, product, browser }) => {
  const repository = makeRepository();
  await page.goto(product.url);
  await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Repositories" }).first().click();
  await page.getByRole("button", { name: "Add repository" }).first().click();
  await page.getByLabel("Path or URL").fill(repository);
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(/the last two parts/);
  await page.getByRole("dialog").getByRole("button", { name: /^Add/ }).click();
  const repositories = page.getByRole("list", { name: "Repositories" });
  await expect(repositories.getByText(repository)).toBeVisible();
  const lastTwo = repository.split("/").slice(-2).join("/");
  await expect(repositories.getByRole("link", { name: lastTwo, exact: true })).toBeVisible();

  const runId = await startRun(page, repository, steps("one"));
  expect(new URL(page.url()).pathname).toBe(`/runs/${runId}`);
  const feed = page.getByRole("feed");
  // The page was opened before the first step and never reloaded: everything it shows arrived live.
  await expect(feed.getByText(/Step 4 of 5 failed/).first()).toBeVisible();
  await expect(page.getByText("Failed").first()).toBeVisible();
  const last = feed.getByRole("article").last();
  expect(await last.getAttribute("aria-posinset")).toBe(await last.getAttribute("aria-setsize"));
  await expect(feed.getByText("exit 7").first()).toBeVisible();
  await page.keyboard.press("g");
  await expect(feed.getByRole("article").first()).toHaveAttribute("aria-posinset", "1");
  await expect(feed.getByText("before one").last()).toBeVisible();
  await expect(feed.getByText("greet.mjs").first()).toBeVisible();
  await page.keyboard.press("Shift+G");
  // The failure is shown once, in plain language.
  await expect(last).toBeInViewport();
  await expect(feed.getByText(/Step 4 of 5 failed/)).toHaveCount(1);
  expect(await last.innerText()).not.toMatch(/-32050|`/);

  const another = await browser.newPage();
  await signIn(another, product);
  await another.goto(`${product.url}/runs/${runId}`);
  await expect(another.getByText("Failed").first()).toBeVisible();
  await expect(another.getByRole("feed").getByText("before one").first()).toBeVisible();

  const composer = page.getByRole("textbox", { name: "Continue the run" });
  await composer.fill("Once more.\n```sh\necho resumed here\n```");
  await composer.press("Control+Enter");
  await expect(feed.getByText("resumed here").last()).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
  // The other reader is at the top of the ended run: nothing moves there until they ask.
  await another.getByRole("button", { name: /^\d+ new$/ }).click();
  await expect(another.getByRole("feed").getByText("resumed here").last()).toBeVisible();
  await another.close();

  await page.getByRole("link", { name: "Changes" }).click();
  const changes = page.getByRole("region", { name: "Changed files" });
  await expect(changes.getByText("greet.mjs").first()).toBeVisible();
  await expect(page.getByText("export const greet").filter({ visible: true }).first()).toBeVisible();

  const marker = `errand-e2e-${process.pid}-${Date.now()}`;
  await startRun(page, repository, `Wait long.\n\`\`\`sh\necho begun; exec -a ${marker} sleep 600\n\`\`\``);
  await expect.poll(() => processesWith(marker)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await expect(page.getByText("Cancelled").first()).toBeVisible();
  expect(processesWith(marker)).toBe(0);
});

const fix = `The greeting has a typo: fix it, and show that the tests pass.

\`\`\`diff
--- a/greet.mjs
+++ b/greet.mjs
@@ -1,4 +1,6 @@
 /** Greets a person by name. */
 export function greet(name) {
-  return \`Helo, \${name}!\`;
+  const person = name.trim();
+  if (person === "") throw new Error("A greeting needs a name.");
+  return \`Hello, \${person}!\`;
 }
\`\`\`

\`\`\`sh
FORCE_COLOR=1 node --test
\`\`\`
`;

test("the picture of the trace page in the README can be taken again", async ({ signedIn: page, product }) => {
  const repository = makeRepository({
    "greet.mjs": `/** Greets a person by name. */\nexport function greet(name) {\n  return \`Helo, \${name}!\`;\n}\n`,
    "greet.test.mjs": [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { greet } from "./greet.mjs";',
      'test("greets a person", () => assert.equal(greet("Ada"), "Hello, Ada!"));',
      'test("refuses nobody", () => assert.throws(() => greet(" ")));',
      "",
    ].join("\n"),
  });
  await product.cli("repo", "add", repository, "--name", "greeter");
  await page.goto(product.url);
  await startRun(page, repository, fix);
  await expect(page.getByText("Completed").first()).toBeVisible();
  await page.keyboard.press("g");
  await expect(page.getByRole("article").first()).toHaveAttribute("aria-posinset", "1");
  // The step that changes the file, and what follows it.
  await page
    .getByRole("article", { name: /greet\.mjs/ })
    .first()
    .scrollIntoViewIfNeeded();
  await page.keyboard.press("Shift+G");
  await expect(page.getByRole("feed").getByText("refuses nobody").last()).toBeVisible();
  // Tall enough for the change, the tests and the answer together.
  await page.setViewportSize({ width: 1440, height: 1240 });
  await expect(page.getByRole("feed").getByText("A greeting needs a name").last()).toBeVisible();
  await page.screenshot({ path: "test-results/trace.png" });
});

/** Fills in the form of a new run. Resolves to the run's id when its page is open. */
async function startRun(page: Page, repository: string, prompt: string): Promise<number> {
  await page.getByRole("link", { name: "New run" }).first().click();
  await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
  await expect(page.getByRole("button", { name: /^Start/ })).toBeInViewport({ ratio: 1 });
  await page.getByRole("combobox", { name: "Repository" }).click();
  await page.getByRole("option", { name: repository }).click();
  await page.getByRole("combobox", { name: "Agent" }).click();
  await page.getByRole("option", { name: /Built-in steps/ }).click();
  await page.getByRole("textbox", { name: "Prompt" }).press("Control+Enter");
  await page.waitForURL(/\/runs\/\d+$/);
  return Number(new URL(page.url()).pathname.split("/").at(-1));
}
