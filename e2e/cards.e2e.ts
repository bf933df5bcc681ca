import type { Page } from "@playwright/test";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const action = (tool_name: string, tool_input: object, tool_output: object) => ({
  message_type: "ACTION",
  tool_name,
  tool_input,
  tool_output,
});
const longOutput = `${"line of the build\n".repeat(3_000)}the end`;

async function reportedRun(api: ApiClient, entries: object[]): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Cards", agent: "external" });
  const appended = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
  expect(appended.status).toBe(200);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  return Number(run.id);
}

/** Copies by the keyboard alone; gives the clipboard. */
async function copied(page: Page, label: string): Promise<string> {
  await page.getByRole("button", { name: label, exact: true }).first().press("Enter");
  await expect(page.getByText("Copied", { exact: true }).first()).toBeAttached();
  return await page.evaluate(() => navigator.clipboard.readText());
}

test("commands, outputs, paths and places in JSON are copied whole", async ({ product, signedIn: page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const id = await reportedRun(api, [
    action(
      "Bash",
      { command: "npm test \\\n  --all" },
      { status: "completed", output: `\u001B[32m${longOutput}\u001B[0m` },
    ),
    action("Edit", { file_path: "/srv/app/lib/a.ts", old_string: "1", new_string: "2" }, { status: "completed" }),
    action("Lookup", { files: [{ name: "x" }] }, { status: "completed" }),
  ]);
  await page.goto(`${product.url}/runs/${id}`);
  expect(await copied(page, "Copy command")).toBe("npm test \\\n  --all");
  // The page has only the beginning of the output.
  expect(await copied(page, "Copy output")).toBe(longOutput);
  expect(await copied(page, "Copy path")).toBe("/srv/app/lib/a.ts");
  await page.getByRole("treeitem").filter({ hasText: "files" }).first().press("ArrowDown");
  await page.getByRole("treeitem").filter({ hasText: "0:" }).first().click();
  await page.getByRole("button", { name: "Copy path", exact: true }).last().click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("$.files[0]");
});

test("images of a step are shown from the step alone, and a long line says how much of it is missing", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const id = await reportedRun(api, [
    action(
      "Screenshot",
      {},
      {
        content: [
          { type: "image", mimeType: "image/png", data: pixel },
          { type: "image", mimeType: "image/svg+xml", data: pixel },
          { type: "image", mimeType: "image/png", url: "https://example.com/x.png" },
        ],
      },
    ),
    { message_type: "ERROR", observation: { message: "no", data: "x".repeat(3_000) } },
    action("Bash", { command: "cat" }, { status: "completed", output: `${"y".repeat(1_900)}\n${"z\n".repeat(50)}` }),
  ]);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`${product.url}/runs/${id}`);
  const image = page.getByRole("img", { name: "1 of 1 in this step (image/png)" });
  await expect(image).toBeVisible();
  expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1);
  await expect(page.getByText("1,500 more characters")).toBeVisible();
  expect(asked.filter((url) => !url.startsWith(product.url) && !url.startsWith("data:"))).toEqual([]);
});

test("a plan says what changed since the one before, and every card can be turned over to what is stored", async ({
  product,
  signedIn: page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const id = await reportedRun(api, [
    { message_type: "PLAN_EVALUATION", thought: "- [ ] read\n- [ ] write\n- [ ] rest" },
    action("Bash", { command: "ls" }, { status: "completed", output: longOutput }),
    { message_type: "PLAN_EVALUATION", thought: "- [x] read\n- [ ] write\n- [ ] test" },
  ]);
  await page.goto(`${product.url}/runs/${id}`);
  const plan = page.locator("article[data-seq='3']");
  await expect(plan).toContainText("Plan · 1 of 3 done · 1 newly done, 1 added, 1 dropped");
  await expect(plan.getByRole("listitem").filter({ hasText: "no longer planned: rest" })).toBeVisible();
  await expect(page.locator("article[data-seq='1']")).toContainText("Plan · 0 of 3 done");

  const card = page.locator("article[data-seq='2']");
  await card.getByRole("button", { name: "Step 2 as it is stored" }).click();
  await expect(card).toContainText('"tool_name": "Bash"');
  await card.getByRole("button", { name: "Copy entry 2" }).click();
  // The list has only the beginning of the output.
  const { body: stored } = await api.ask("GET", `/agent/run/${id}/logs/2`);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(JSON.stringify(stored, null, 2));
  await card.getByRole("button", { name: "Step 2 as it is stored" }).click();
  await expect(card.getByText("$ ls")).toBeVisible();
});

test("an edit is read side by side where there is room, with its words marked, and the choice stays", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const lines = Array.from({ length: 30 }, (_, index) => `const kept${index} = ${index};`);
  const before = [...lines, "const total = first + second;", "gone();", "end();"].join("\n");
  const after = [...lines, "const sum = first + second;", "end();", "added();"].join("\n");
  const id = await reportedRun(api, [
    action("Edit", { file_path: "/srv/app/lib/a.ts", old_string: before, new_string: after }, { status: "completed" }),
  ]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${product.url}/runs/${id}`);
  const card = page.locator("article[data-seq='1']");
  const left = card.getByRole("group", { name: "Before" });
  const right = card.getByRole("group", { name: "After" });
  const choice = card.getByRole("button", { name: "Side by side", exact: true });
  await expect(choice).toHaveAttribute("aria-pressed", "false");
  await expect(left).toHaveCount(0);
  // The card listens to keys from when it knows the choice.
  await expect(page.locator("[data-diff-unsettled]")).toHaveCount(0);
  await choice.press("Enter");
  await expect(choice).toHaveAttribute("aria-pressed", "true");

  await page.reload();
  await expect(choice).toHaveAttribute("aria-pressed", "true");
  await expect(left).toContainText("const total = first + second;");
  await expect(left).toContainText("gone();");
  await expect(left).not.toContainText("added();");
  await expect(right).toContainText("const sum = first + second;");
  await expect(right).toContainText("added();");
  await expect(right).not.toContainText("gone();");
  await expect(left.locator(".bg-diff-removed-word")).toHaveText(["total"]);
  await expect(right.locator(".bg-diff-added-word")).toHaveText(["sum"]);
  // What was replaced stands in the same line as what replaced it.
  const topOf = async (text: string, side: typeof left) =>
    (await side.getByText(text, { exact: true }).boundingBox())?.y;
  expect(await topOf("total", left)).toBe(await topOf("sum", right));

  // A match in lines that are folded opens them in both columns.
  await expect(left).not.toContainText("const kept3 = 3;");
  await page.goto(`${product.url}/runs/${id}?find=kept3`);
  await expect(left).toContainText("const kept3 = 3;");
  await expect(right).toContainText("const kept3 = 3;");

  await page.setViewportSize({ width: 375, height: 800 });
  await expect(left).toHaveCount(0);
  await expect(choice).toBeHidden();
  await expect(card).toContainText("const kept3 = 3;");
});
