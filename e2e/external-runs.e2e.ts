import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const thought = (text: string) => ({ message_type: "PLAN_EVALUATION", thought: text });
const command = (name: string, output: string, id: string) => ({
  message_type: "ACTION",
  tool_call_id: id,
  tool_name: "shell",
  tool_input: { command: name },
  tool_output: { status: "completed", exit_code: 0, output, duration_ms: 12 },
});

async function newRun(api: ApiClient, prompt: string): Promise<number> {
  const { status, body } = await api.ask("POST", "/agent/run", { prompt, agent: "external" });
  expect([status, body.status]).toEqual([200, "running"]);
  return Number(body.id);
}

test("another system reports a run in batches while a person watches, and finishes it", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await newRun(api, "Reported from elsewhere");
  const logs = `/agent/run/${runId}/logs`;
  await page.goto(`${product.url}/runs/${runId}`);
  const feed = page.getByRole("feed");
  await expect(page.getByText("Reported from elsewhere").first()).toBeVisible();
  await expect(page.getByText("Running").first()).toBeVisible();

  // The page is never reloaded from here on: everything it shows arrived live.
  const first = await api.ask("POST", logs, {
    entries: [thought("First look around."), command("ls", "README.md", "a")],
  });
  expect([first.status, first.body]).toEqual([200, { first_seq: 1, last_seq: 2, total_logs: 2 }]);
  await expect(feed.getByText("First look around.").first()).toBeVisible();
  await expect(feed.getByText("README.md").first()).toBeVisible();

  const many = Array.from({ length: 1000 }, (_, index) =>
    command(`step ${index + 3}`, `done ${index + 3}`, `b${index}`),
  );
  const batch = await api.ask("POST", logs, { entries: many });
  expect(batch.body).toEqual({ first_seq: 3, last_seq: 1002, total_logs: 1002 });
  await expect(feed.getByText("done 1002").first()).toBeVisible();
  const last = feed.getByRole("article").last();
  await expect(last).toHaveAttribute("aria-posinset", "1002");
  // The final number is unknown while the run continues.
  await expect(last).toHaveAttribute("aria-setsize", "-1");

  const found = await api.ask("GET", `${logs}/position?tool_call_id=b997`);
  expect(found.body).toEqual({ skip: 999, seq: 1000, matching_logs: 1002, complete: true });

  const done = await api.ask("PATCH", `/agent/run/${runId}`, {
    status: "completed",
    result: "All 1,000 steps are done.",
  });
  expect([done.status, done.body.status, done.body.summary]).toEqual([200, "completed", "All 1,000 steps are done."]);
  await expect(page.getByText("Completed").first()).toBeVisible();
  await expect(last).toHaveAttribute("aria-setsize", "1002");
  const late = await api.ask("POST", logs, { entries: [thought("Too late.")] });
  expect(late.status).toBe(409);
});

test("a batch with a broken entry is refused by its index and field and leaves nothing behind", async ({ product }) => {
  const api = await ApiClient.create(product);
  const logs = `/agent/run/${await newRun(api, "Broken batches")}/logs`;
  const good = thought("Good.");
  const refused = async (entries: unknown[]) => {
    const { status, body } = await api.ask("POST", logs, { entries });
    expect(status).toBe(400);
    return (body.errors as { loc: unknown[] }[]).map(({ loc }) => loc);
  };
  expect(await refused([good, { ...command("ls", "x", "a"), tool_output: null }])).toEqual([
    ["body", "entries", 1, "tool_output"],
  ]);
  expect(await refused([good, good, { message_type: "THOUGHT" }])).toEqual([["body", "entries", 2, "message_type"]]);
  expect(await refused([{ ...good, tool_call_id: "" }])).toEqual([["body", "entries", 0, "tool_call_id"]]);
  expect(await refused(Array(1001).fill(good))).toEqual([["body", "entries"]]);
  expect((await api.ask("GET", logs)).body.total_logs).toBe(0);
});

test("a batch sent again with its key gets the same answer and is stored once", async ({ product }) => {
  const api = await ApiClient.create(product);
  const logs = `/agent/run/${await newRun(api, "Sent twice")}/logs`;
  const send = (text: string) =>
    api.fetch(logs, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": "batch 1" },
      body: JSON.stringify({ entries: [thought(text), thought(text)] }),
    });
  const [one, other] = [await send("Once."), await send("Once.")];
  expect([one.status, other.status, other.headers.get("idempotency-replayed")]).toEqual([200, 200, "true"]);
  expect(await other.json()).toEqual(await one.json());
  expect((await api.ask("GET", logs)).body.total_logs).toBe(2);
  expect((await send("Something else.")).status).toBe(422);
});

test("a seeded trace is an ended run that opens at its seeded error", async ({ signedIn: page, product }) => {
  const runId = Number(await product.cli("bench", "seed", "--entries", "2000"));
  const api = await ApiClient.create(product);
  const { body } = await api.ask("GET", `/agent/run/${runId}`);
  expect([body.status, body.total_logs, body.agent]).toEqual(["completed", 2000, "external"]);
  const { body: tools } = await api.ask("GET", `/agent/run/${runId}/logs/tools`);
  const names = (tools.items as { tool_name: string }[]).map(({ tool_name: name }) => name);
  expect(names.toSorted()).toEqual(["edit", "grep", "read", "shell", "update_plan"]);
  await page.goto(`${product.url}/runs/${runId}?entry=741`);
  await expect(page.getByRole("feed").getByText("needle-37").first()).toBeVisible();
});

test("a message sent to an ended run of another system is a step of it, and is not announced as a next one", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await newRun(api, "Continued elsewhere");
  await api.ask("POST", `/agent/run/${runId}/logs`, { entries: [thought("Looked around.")] });
  await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed" });
  await page.goto(`${product.url}/runs/${runId}`);
  const step = (name: string) => page.getByRole("definition").getByRole("link", { name, exact: true });
  await expect(step("End"), "it ended without an answer").toBeVisible();
  await expect(step("Answer")).toHaveCount(0);

  const message = page.getByRole("textbox", { name: "Leave a message for the external agent" });
  await message.fill("Look once more");
  await message.press("Control+Enter");
  await expect(page.getByRole("feed").getByText("Look once more").first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Queued messages" })).toHaveCount(0);
  await expect(page.getByText("Waiting for the other system.")).toBeVisible();
  await expect(page.getByText("Working", { exact: true })).toHaveCount(0);
  await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed", result: "Nothing new." });
  await expect(step("Answer")).toBeVisible();
});

test("a turn that failed stays counted, in the API and on the page, after the run was continued and completed", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const runId = await newRun(api, "Failed once");
  await api.ask("PATCH", `/agent/run/${runId}`, { status: "failed" });
  await api.ask("POST", "/agent/run/resume", { agent_run_id: runId, prompt: "Try again" });
  await api.ask("PATCH", `/agent/run/${runId}`, { status: "completed", result: "Now it works." });
  const { body: run } = await api.ask("GET", `/agent/run/${runId}`);
  expect([run.status, run.turns, run.failed_turns]).toEqual(["completed", 2, 1]);
  await page.goto(`${product.url}/runs/${runId}`);
  await expect(page.getByRole("definition").getByText("1 of 2 turns failed")).toBeVisible();
});
