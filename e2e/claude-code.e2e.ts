import { randomUUID } from "node:crypto";
import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const user = (content: unknown) => ({ type: "user", uuid: randomUUID(), message: { role: "user", content } });
const assistant = (block: object) => ({ type: "assistant", uuid: randomUUID(), message: { content: [block] } });

test("a Claude Code session in a terminal is watched live, turn after turn", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const sessionId = randomUUID();
  const opened = await api.ask("POST", "/claude_code/session", { session_id: sessionId });
  const log = async (line: object) => {
    expect((await api.ask("POST", `/claude_code/session/${sessionId}/log`, { log: line })).status).toBe(200);
  };
  const report = (status: string) => api.ask("POST", `/claude_code/session/${sessionId}/status`, { status });

  await page.goto(`${product.url}/claude-code/${sessionId}`);
  await expect(page).toHaveURL(`${product.url}/runs/${opened.body.agent_run_id}`);
  await expect(page.getByText("Claude Code session").first()).toBeVisible();

  await expect(page.getByText("Continue it there.")).toBeVisible();

  // The page is never reloaded from here on: everything it shows arrived live.
  const feed = page.getByRole("feed");
  await log(user("Fix the broken build"));
  await expect(page.getByRole("heading", { name: "Fix the broken build" }).first()).toBeVisible();
  await log(assistant({ type: "text", text: "I look at the build first." }));
  await log(assistant({ type: "tool_use", id: "a", name: "Bash", input: { command: "npm run build" } }));
  await log(user([{ type: "tool_result", tool_use_id: "a", content: "built in 12 s" }]));
  await expect(feed.getByText("npm run build").first()).toBeVisible();

  // The Stop hook is quicker than the last line.
  expect((await report("COMPLETE")).body.status).toBe("completed");
  await expect(page.getByText("Completed").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue" })).toHaveCount(0);
  await log(assistant({ type: "text", text: "The build works again." }));
  await expect(feed.getByText("The build works again.").first()).toBeVisible();

  await report("ACTIVE");
  await log(user("Now the tests"));
  await expect(feed.getByText("Now the tests").first()).toBeVisible();
  await expect(page.getByText("Running").first()).toBeVisible();

  await page.goto(`${product.url}/claude-code/${randomUUID()}`);
  await expect(page.getByRole("heading", { name: "No such Claude Code session" })).toBeVisible();
});
