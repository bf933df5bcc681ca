import type { Locator, Page } from "@playwright/test";
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

async function reportedRun(api: ApiClient, entries: object[], prompt = "Cards"): Promise<number> {
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  const appended = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries });
  expect(appended.status).toBe(200);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  return Number(run.id);
}

/** Copies by keyboard alone and expects `text` in the clipboard. The notice of the previous copy may still be on the page. */
async function expectCopied(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("button", { name: label, exact: true }).first().press("Enter");
  await expect(page.getByText("Copied", { exact: true }).first()).toBeAttached();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text);
}

test("commands, outputs, paths and values in JSON are copied in full", { tag: "@short" }, async ({
  product,
  signedIn: page,
}) => {
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
  await expectCopied(page, "Copy command", "npm test \\\n  --all");
  // The page has only the beginning of the output.
  await expectCopied(page, "Copy output", longOutput);
  await expectCopied(page, "Copy path", "/srv/app/lib/a.ts");
  await page.getByRole("treeitem").filter({ hasText: "files" }).first().press("ArrowDown");
  await page.getByRole("treeitem").filter({ hasText: "0:" }).first().click();
  await page.getByRole("button", { name: "Copy path", exact: true }).last().click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("$.files[0]");
});

test("images of a step are loaded with the step only, and a long line says how much of it is missing", async ({
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

test("images of an answer are shown with its words, and no field of a step's observation vanishes", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const image = { type: "image", mimeType: "image/png", data: pixel };
  const id = await reportedRun(api, [
    {
      ...action("lookup", { q: 1 }, { output: "x" }),
      observation: { content: [{ type: "text", text: "seen" }, image], rows: 7 },
    },
    {
      message_type: "FINAL_ANSWER",
      observation: { message: "First.", content: [{ type: "text", text: "Second." }, image] },
    },
    { message_type: "PLAN_EVALUATION", thought: "Hm", observation: { found: 3 } },
  ]);
  await page.goto(`${product.url}/runs/${id}`);
  await expect(page.getByRole("img", { name: "1 of 1 in this step (image/png)" })).toHaveCount(2);
  const cardOf = (seq: number) => page.locator(`article[data-seq='${seq}']`);
  await expect(cardOf(1).getByText("seen", { exact: true })).toBeVisible();
  await expect(cardOf(1).getByRole("treeitem").filter({ hasText: "rows" })).toBeVisible();
  await expect(cardOf(2).getByText("First.")).toBeVisible();
  await expect(cardOf(2).getByText("Second.")).toBeVisible();
  await expect(cardOf(2).getByRole("treeitem")).toHaveCount(0);
  await expect(cardOf(3).getByRole("treeitem").filter({ hasText: "found" })).toBeVisible();
});

test("a plan shows what changed since the previous one, and every card can be turned over to the stored JSON", {
  tag: "@short",
}, async ({ product, signedIn: page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const api = await ApiClient.create(product);
  const id = await reportedRun(api, [
    { message_type: "PLAN_EVALUATION", thought: "- [ ] read\n- [ ] write\n- [ ] rest" },
    action("Bash", { command: "ls" }, { status: "completed", output: longOutput }),
    { message_type: "PLAN_EVALUATION", thought: "- [x] read\n- [ ] write\n- [ ] test" },
  ]);
  await page.goto(`${product.url}/runs/${id}`);
  const plan = page.locator("article[data-seq='3']");
  await expect(plan).toContainText("Plan · 1 of 3 done · 1 just done, 1 added, 1 dropped");
  await expect(plan.getByRole("listitem").filter({ hasText: "no longer planned: rest" })).toBeVisible();
  await expect(page.locator("article[data-seq='1']")).toContainText("Plan · 0 of 3 done");

  const card = page.locator("article[data-seq='2']");
  await card.getByRole("button", { name: "Step 2 as stored" }).click();
  await expect(card).toContainText('"tool_name": "Bash"');
  await card.getByRole("button", { name: "Copy entry 2" }).click();
  // The list has only the beginning of the output.
  const { body: stored } = await api.ask("GET", `/agent/run/${id}/logs/2`);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(JSON.stringify(stored, null, 2));
  await card.getByRole("button", { name: "Step 2 as stored" }).click();
  await expect(card.getByText("$ ls")).toBeVisible();
});

test("an edit is shown side by side if there is room, with changed words marked, and the choice is kept", async ({
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
  // The card listens to keys once it knows the choice.
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
  // Old and new text are in the same row.
  const topOf = async (text: string, side: typeof left) =>
    (await side.getByText(text, { exact: true }).boundingBox())?.y;
  expect(await topOf("total", left)).toBe(await topOf("sum", right));

  // A match in folded lines opens them in both columns.
  await expect(left).not.toContainText("const kept3 = 3;");
  await page.goto(`${product.url}/runs/${id}?find=kept3`);
  await expect(left).toContainText("const kept3 = 3;");
  await expect(right).toContainText("const kept3 = 3;");

  await page.setViewportSize({ width: 375, height: 800 });
  await expect(left).toHaveCount(0);
  await expect(choice).toBeHidden();
  await expect(card).toContainText("const kept3 = 3;");
});

test("an agent's card shows its run, a question its answer, a plan its failed step, and a tool its server", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const other = await reportedRun(api, [{ message_type: "FINAL_ANSWER", observation: "Looked." }]);
  const id = await reportedRun(api, [
    action(
      "Task",
      { subagent_type: "Explore", description: "Look around", prompt: "Find the **entry** point." },
      { content: [{ type: "text", text: "It is `main.ts`." }] },
    ),
    { message_type: "AGENT_RUN_LINK", observation: { run_id: other, text: "Look around" } },
    action(
      "AskUserQuestion",
      {
        questions: [{ header: "Color", question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }] }],
      },
      { content: 'User has answered your questions: "Which color?"="Blue". You can now continue.' },
    ),
    action(
      "TodoWrite",
      {
        todos: [
          { content: "read", status: "completed" },
          { content: "build", status: "failed" },
        ],
      },
      { content: "Todos have been modified." },
    ),
    action("mcp__tracker__a_tool_with_a_name_of_forty_two_letters", { number: 7 }, { content: '{"state":"open"}' }),
  ]);
  await page.goto(`${product.url}/runs/${id}`);
  const cardOf = (seq: number) => page.locator(`article[data-seq='${seq}']`);
  await expect(cardOf(1).getByRole("link", { name: `Run #${other}` })).toBeVisible();
  await expect(cardOf(1).getByText("Explore", { exact: true })).toBeVisible();
  await expect(cardOf(1).locator("code", { hasText: "main.ts" })).toBeVisible();
  // The link's own step is a line below it.
  await expect(cardOf(2).getByRole("heading")).toHaveCount(0);
  await expect(cardOf(2).getByRole("link", { name: `Run #${other}` })).toBeVisible();
  await expect(cardOf(3).getByRole("listitem").filter({ hasText: "chosen: Blue" }).last()).toBeVisible();
  await expect(cardOf(4).getByText("1 failed", { exact: true })).toBeVisible();
  await expect(cardOf(4).getByRole("listitem").filter({ hasText: "failed: build" })).toBeVisible();
  const tool = cardOf(5).getByText("a_tool_with_a_name_of_forty_two_letters");
  await expect(tool).toBeVisible();
  // There is room for all of its name: nothing around it cuts it off, and it needs one line.
  const lines = await tool.evaluate((name) => {
    const text = document.createRange();
    text.selectNodeContents(name);
    const [first, ...others] = text.getClientRects();
    const isCut = (box: Element) => getComputedStyle(box).overflowX !== "visible" && box.scrollWidth > box.clientWidth;
    for (let box = name.parentElement; box !== null && box.tagName !== "ARTICLE"; box = box.parentElement) {
      if (isCut(box)) return `cut at ${box.clientWidth} px`;
    }
    return isCut(name) || first === undefined ? "cut" : 1 + others.length;
  });
  expect(lines).toBe(1);
  await expect(cardOf(5).getByText("tracker", { exact: true })).toBeVisible();
  await expect(cardOf(5).getByRole("treeitem").filter({ hasText: "state" })).toBeVisible();
});

test("messages of people are the turns of a reported run, and those of a harness are not", async ({
  product,
  signedIn: page,
}) => {
  const api = await ApiClient.create(product);
  const message = (text: string) => ({
    message_type: "USER_MESSAGE",
    observation: { content: [{ type: "text", text }] },
  });
  const id = await reportedRun(
    api,
    [
      message("Paint the house"),
      message("<task-notification>Task 3 is done.</task-notification>"),
      message("<system-reminder>Today is Monday.</system-reminder>\nNow the garden"),
      message("[Request interrupted by user]"),
      message("צבע את הבית, בבקשה!"),
    ],
    "צבע את הבית, בבקשה!",
  );
  await page.goto(`${product.url}/runs/${id}`);
  const facts = page.getByRole("complementary", { name: "Details of the run" });
  await expect(facts.getByText("Turns (3)")).toBeVisible();
  await expect(facts.getByText("Set by the system that runs the agent")).toBeVisible();
  await expect(page.locator("article[data-seq='1']").getByText("Paint the house")).toBeVisible();
  const injected = page.locator("article[data-seq='2']").getByRole("region", { name: "Task notification" });
  await expect(injected).toContainText("Task 3 is done.");
  const mixed = page.locator("article[data-seq='3']");
  await expect(mixed.getByText("Now the garden")).toBeVisible();
  await expect(mixed.getByRole("region", { name: "System reminder" })).toContainText("Today is Monday.");
  await expect(page.locator("article[data-seq='4']").getByText("Interrupted.")).toBeVisible();
  // Text that is written from right to left lies so: on its card, in the list of turns and in the title.
  const directionOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).direction);
  for (const part of [page.locator("article[data-seq='5']"), page.getByRole("heading", { level: 1 })]) {
    expect(await directionOf(part.getByText("בבקשה!"))).toBe("rtl");
  }
  await facts.getByRole("link", { name: "2. Now the garden" }).click();
  await expect(page).toHaveURL(/entry=3/);
});
