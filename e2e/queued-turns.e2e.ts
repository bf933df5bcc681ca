import { ApiClient } from "./api.ts";
import { inspect } from "./look.ts";
import { expect, test } from "./test.ts";

const steps = (text: string, command: string) => `${text}\n\`\`\`sh\n${command}\n\`\`\``;

test("queued messages are shown, edited and removed; a cancel holds them, a resume keeps them held, and they are sent on request", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: steps("Wait", "sleep 600"), agent: "steps" });
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(page.getByRole("feed").getByText("sleep 600").last()).toBeVisible();

  const queue = page.getByRole("region", { name: "Queued messages" });
  const followUp = page.getByRole("textbox", { name: "Queue a follow-up" });
  await page.getByRole("button", { name: "Queue it instead" }).click();
  for (const text of [steps("Second", "echo ran second"), "Never mind"]) {
    await followUp.fill(text);
    await followUp.press("Control+Enter");
    await expect(queue.getByText(text.split("\n")[0] ?? "")).toBeVisible();
    await expect(followUp).toHaveValue("");
  }
  await queue.getByRole("listitem").filter({ hasText: "Second" }).getByRole("button", { name: "Edit message" }).click();
  const editor = queue.getByRole("textbox", { name: "Queued message" });
  await expect(editor).toBeFocused();
  await editor.fill("Something else");
  await editor.press("Escape");
  await expect(queue.getByText("Something else")).toHaveCount(0);
  await queue.getByRole("button", { name: "Edit message" }).first().click();
  await inspect(page, "queue, editing", { seriousOnly: true });
  await editor.fill(steps("Second, edited", "echo ran $((40 + 2))"));
  await editor.press("Control+Enter");
  await expect(queue.getByText("Second, edited")).toBeVisible();
  await queue
    .getByRole("listitem")
    .filter({ hasText: "Never mind" })
    .getByRole("button", { name: "Remove message" })
    .click();
  await expect(queue.getByText("Never mind")).toHaveCount(0);
  await expect(followUp).toBeFocused();
  await inspect(page, "queue, waiting", { seriousOnly: true });

  await page.getByRole("button", { name: "Cancel" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Queued messages are kept too");
  await dialog.getByRole("button", { name: "Cancel run" }).click();
  await expect(queue.getByText("1 message on hold.").last()).toBeVisible();
  await expect(queue.getByText("Second, edited")).toBeVisible();
  await inspect(page, "queue, held", { seriousOnly: true });
  await page.reload();
  await expect(queue.getByText("Second, edited")).toBeVisible();

  const composer = page.getByRole("textbox", { name: "Continue the run" });
  await composer.fill(steps("Third", "echo ran $((20 + 3))"));
  await composer.press("Control+Enter");
  const feed = page.getByRole("feed");
  await expect(feed.getByText("ran 23").last()).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
  await expect(queue.getByText("Second, edited")).toBeVisible();
  await expect(feed.getByText("ran 42")).toHaveCount(0);

  await queue.getByRole("button", { name: "Send 1 message" }).click();
  await expect(feed.getByText("ran 42").last()).toBeVisible();
  await expect(queue).toHaveCount(0);
  // Each message is in the log under the number it got when it was written.
  const facts = page.getByRole("complementary", { name: "Details of the run" });
  await expect(facts.getByText("Turns (3)")).toBeVisible();
  await expect(facts.getByRole("listitem").filter({ hasText: /^\d+\./ })).toHaveText([
    /^1\. /,
    /^4\. Third/,
    /^2\. Second/,
  ]);
  await expect
    .poll(async () => {
      const { body } = await api.ask("GET", `/agent/run/${run.id}`);
      return [body.status, body.turns, body.queued_turns, body.result_turn];
    })
    .toEqual(["completed", 3, 0, 2]);
});

test("turns that were run while the page was left are listed when it is opened again", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: steps("One", "true"), agent: "steps" });
  const completed = (turns: number) =>
    expect
      .poll(async () => {
        const { status, turns: all } = (await api.ask("GET", `/agent/run/${run.id}`)).body;
        return [status, all];
      })
      .toEqual(["completed", turns]);
  const resume = (text: string) =>
    api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: steps(text, "true") });
  await completed(1);
  await resume("Two");
  await completed(2);
  await page.goto(`${product.url}/runs/${run.id}`);
  const turns = page.getByRole("complementary", { name: "Details of the run" }).getByRole("link", { name: /^\d\. / });
  await expect(turns).toHaveText([/^1\. One/, /^2\. Two/]);
  await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Runs" }).click();
  await page.waitForURL(/\/runs$/);
  await resume("Three");
  await completed(3);
  await page.goBack();
  await expect(turns).toHaveText([/^1\. One/, /^2\. Two/, /^3\. Three/]);
});

test("a queued run shows its prompt and its place in the queue; after a cancel the prompt can be sent or discarded", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const busy = [];
  for (let count = 0; count < 2; count += 1) {
    const { body } = await api.ask("POST", "/agent/run", { prompt: steps("Wait", "sleep 600"), agent: "steps" });
    await expect.poll(async () => (await api.ask("GET", `/agent/run/${body.id}`)).body.status).toBe("running");
    busy.push(body.id);
  }
  const { body: ahead } = await api.ask("POST", "/agent/run", { prompt: steps("Ahead", "sleep 600"), agent: "steps" });
  const prompt = steps("Look around", "echo ran $((50 + 1))");
  const { body: run } = await api.ask("POST", "/agent/run", { prompt, agent: "steps" });
  await page.goto(`${product.url}/runs/${run.id}`);
  const queue = page.getByRole("region", { name: "Queued messages" });
  await expect(queue.getByText("Waiting to start")).toBeVisible();
  await expect(queue.getByText("Look around")).toBeVisible();
  await expect(page.getByText("Queued behind 1 other run.")).toBeVisible();
  await api.ask("POST", `/agent/run/${ahead.id}/cancel`);
  await expect(page.getByText("Queued, next to start.")).toBeVisible();
  await expect(queue.getByRole("button", { name: "Remove message" })).toHaveCount(0);
  await inspect(page, "queue, queued", { seriousOnly: true });
  await queue.getByRole("button", { name: "Edit message" }).click();
  await queue.getByRole("textbox", { name: "Queued message" }).fill(prompt.replace("Look", "Peer"));
  await queue.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Peer around" })).toBeVisible();

  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(queue.getByText("1 message on hold.").last()).toBeVisible();
  await queue.getByRole("button", { name: "Send 1 message" }).click();
  await expect(queue.getByText("Waiting to start")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await queue.getByRole("button", { name: "Discard" }).click();
  await inspect(page, "queue, discard", { seriousOnly: true });
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(queue).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Continue the run" })).toBeFocused();
  expect((await api.ask("GET", `/agent/run/${run.id}/queue`)).body.total).toBe(0);
  for (const id of busy) await api.ask("POST", `/agent/run/${id}/cancel`);
});

test("a message that starts while it is being edited keeps the typed text as a new message", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: steps("Wait", "sleep 600"), agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("running");
  await api.ask("POST", "/agent/run/resume", { agent_run_id: run.id, prompt: steps("Second", "echo two") });
  await page.goto(`${product.url}/runs/${run.id}`);
  const queue = page.getByRole("region", { name: "Queued messages" });
  await queue.getByRole("button", { name: "Edit message" }).click();
  const editor = queue.getByRole("textbox", { name: "Queued message" });
  await editor.fill(steps("Mine", "echo ran $((60 + 1))"));

  // Another client edits it in the meantime: both texts are shown before one replaces the other.
  await api.ask("PATCH", `/agent/run/${run.id}/queue/2`, { prompt: "Theirs" });
  await editor.press("Control+Enter");
  await expect(queue.getByText("Someone else changed this message.")).toBeVisible();
  await expect(queue.getByText("Theirs", { exact: true })).toBeVisible();
  await queue.getByRole("button", { name: "Replace theirs" }).click();
  await expect(queue.getByRole("listitem").filter({ hasText: "Mine" })).toBeVisible();
  await queue.getByRole("button", { name: "Edit message" }).click();

  await api.ask("DELETE", `/agent/run/${run.id}/queue/2`);
  await expect(queue.getByText(/The agent already has this message, or it was removed/)).toBeVisible();
  await queue.getByRole("button", { name: "Send as a new message" }).click();
  await expect(queue.getByRole("listitem").filter({ hasText: "Mine" })).toBeVisible();
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await expect(queue.getByText("1 message on hold.").last()).toBeVisible();
});

test("a message to a working agent reaches its next step, and the page says so", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  // It works until it is answered.
  const asking = { prompt: steps("Wait", "echo first"), agent: "steps", permission_mode: "ask" };
  const { body: run } = await api.ask("POST", "/agent/run", asking);
  await page.goto(`${product.url}/runs/${run.id}`);
  const message = page.getByRole("textbox", { name: "Message the agent" });
  await expect(message).toBeVisible();
  await expect(page.getByText("The agent gets it at its next step")).toBeVisible();
  await inspect(page, "steering");
  await message.fill(steps("Do this too", "echo ran $((60 + 1))"));
  await message.press("Control+Enter");
  const feed = page.getByRole("feed");
  await expect(feed.getByText("Message during turn 1").last()).toBeVisible();
  await expect(page.getByRole("region", { name: "Queued messages" })).toHaveCount(0);
  await inspect(page, "steered");
  // Words without a step: the built-in agent cannot take them during a turn, so they become its next one.
  await message.fill("And what is here?");
  await message.press("Control+Enter");
  await expect(page.getByText("Next, when the agent is done")).toBeVisible();
  await page.getByRole("button", { name: "Queue it instead" }).click();
  await expect(page.getByText("The agent gets it as its next turn")).toBeVisible();
  await page.getByRole("button", { name: "Remove message" }).click();
  const { body: asked } = await api.ask("GET", `/agent/run/${run.id}`);
  const question = asked.question as { id: string };
  const answer = { question_id: question.id, option_id: "allow_always" };
  await api.ask("POST", `/agent/run/${run.id}/answer`, answer);
  await expect(feed.getByText("ran 61").last()).toBeVisible();
  await expect(page.getByText("Completed").first()).toBeVisible();
  expect((await api.ask("GET", `/agent/run/${run.id}`)).body.turns).toBe(1);
});

test("a message just sent is shown before the log brings it", async ({ signedIn: page, product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: steps("First", "echo one"), agent: "steps" });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  await page.goto(`${product.url}/runs/${run.id}`);
  const message = page.getByRole("textbox", { name: "Continue the run" });
  await expect(page.getByText("Completed").first()).toBeVisible();

  // Nothing that the agent does from now on reaches the page.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  for (const path of ["**/logs?*", "**/logs/stream*", "**/queue*"]) {
    await page.route(path, async (route) => {
      await isReleased;
      await route.continue();
    });
  }
  const words = "Do one thing more";
  await message.fill(steps(words, "sleep 600"));
  await message.press("Control+Enter");
  await expect(page.getByRole("textbox", { name: "Queue a follow-up" })).toHaveValue("");
  await expect(page.getByRole("region", { name: "Queued messages" }).getByText(words)).toBeVisible();
  await expect(page.getByRole("feed").getByText(words)).toHaveCount(0);

  release();
  await expect(page.getByRole("feed").getByText(words).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Queued messages" })).toHaveCount(0);
  await api.ask("POST", `/agent/run/${run.id}/cancel`);
  await expect(page.getByText("Cancelled").first()).toBeVisible();
});
