import { ApiClient } from "./api.ts";
import { processesWith } from "./processes.ts";
import { makeRepository } from "./repository.ts";
import { expect, test } from "./test.ts";

test("a client with a token creates, follows, resumes and cancels a run", { tag: "@short" }, async ({ product }) => {
  const api = await ApiClient.create(product);
  const added = await api.ask("POST", "/repos", { source: makeRepository() });
  expect(added.status).toBe(200);

  const prompt = "Two steps.\n```sh\necho first\n```\n```sh\necho second; exit 3\n```";
  const created = await api.ask("POST", "/agent/run", { prompt, repo_id: added.body.id, agent: "steps" });
  expect(created.status).toBe(200);
  expect(created.body).toMatchObject({ status: "queued", github_pull_requests: [], metadata: {}, total_logs: 0 });
  const runId = Number(created.body.id);

  const seen: number[] = [];
  const events = new Set<string>();
  for await (const { event, id } of api.follow(runId)) {
    events.add(event);
    if (event === "entry" && id !== null) seen.push(id);
    if (event === "end") break;
  }
  const { body: run } = await api.ask("GET", `/agent/run/${runId}`);
  expect(run).toMatchObject({ status: "failed", agent: "steps", branch: `errand/run-${runId}` });
  expect(seen).toEqual(Array.from({ length: Number(run.total_logs) }, (_, index) => index + 1));
  expect([...events].toSorted()).toEqual(["end", "entry", "progress", "run"]);

  const { body: page } = await api.ask("GET", `/agent/run/${runId}/logs?skip=1&limit=2`);
  expect(page).toMatchObject({ page: 1, size: 2, total_logs: run.total_logs });
  expect(page.logs).toMatchObject([{ seq: 2 }, { seq: 3 }]);
  const alpha = await api.ask("GET", `/v1/alpha/organizations/1/agent/run/${runId}/logs?reverse=true&limit=1`);
  expect(alpha.body.logs).toMatchObject([{ seq: run.total_logs, message_type: "ERROR" }]);

  const resumed = await api.ask("POST", "/agent/run/resume", {
    agent_run_id: runId,
    prompt: "Again.\n```js path=made.mjs\nexport default 1;\n```",
  });
  expect(resumed.body).toMatchObject({ id: runId, turns: 2 });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${runId}`)).body.status).toBe("completed");
  const after = await api.ask("GET", `/agent/run/${runId}/logs?skip=${run.total_logs}`);
  expect(after.body.logs).toContainEqual(
    expect.objectContaining({ message_type: "USER_MESSAGE", tool_input: { turn: 2, session: "resumed" } }),
  );
  const diff = await (await api.fetch(`/agent/run/${runId}/diff`)).text();
  expect(diff).toContain("+++ b/made.mjs");

  const marker = `errand-api-${process.pid}-${Date.now()}`;
  const long = await api.ask("POST", "/agent/run", {
    prompt: `Wait.\n\`\`\`sh\n(setsid bash -c 'exec -a ${marker} sleep 600' &) ; exec -a ${marker} sleep 600\n\`\`\``,
    agent: "steps",
  });
  await expect.poll(() => processesWith(marker)).toBeGreaterThan(0);
  const cancelled = await api.ask("POST", `/agent/run/${long.body.id}/cancel`);
  expect(cancelled.status).toBe(200);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${long.body.id}`)).body.status).toBe("cancelled");
  expect(processesWith(marker)).toBe(0);
});

test("a run that asks a question waits for the answer given by the API", async ({ product }) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", {
    prompt: "Ask.\n```sh\necho allowed\n```",
    agent: "steps",
    permission_mode: "ask",
  });
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("waiting");
  const waiting = (await api.ask("GET", `/agent/run/${run.id}`)).body;
  const question = waiting.question as { id: string; options: { id: string; kind: string }[] };
  const allow = question.options.find(({ kind }) => kind === "allow_once");
  const wrong = await api.ask("POST", `/agent/run/${run.id}/answer`, { question_id: question.id, option_id: "none" });
  expect(wrong.status).toBe(400);
  const answer = { question_id: question.id, option_id: allow?.id };
  expect((await api.ask("POST", `/agent/run/${run.id}/answer`, answer)).status).toBe(200);
  await expect.poll(async () => (await api.ask("GET", `/agent/run/${run.id}`)).body.status).toBe("completed");
  expect((await api.ask("POST", `/agent/run/${run.id}/answer`, answer)).status).toBe(409);
});

test("hostile and invalid input gets a clear error or a truthful end, and the service continues", async ({
  product,
}) => {
  const api = await ApiClient.create(product);
  const refused = async (body: object, field: string) => {
    const answer = await api.ask("POST", "/agent/run", { prompt: "Hello", agent: "steps", ...body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(400);
    expect(answer.body.errors).toMatchObject([{ loc: ["body", field] }]);
    expect(answer.body.detail).toContain(field);
  };
  await refused({ prompt: "" }, "prompt");
  await refused({ prompt: " \n\t " }, "prompt");
  await refused({ prompt: "a\u0000b" }, "prompt");
  await refused({ prompt: "x".repeat(1_000_000) }, "prompt");
  await refused({ agent: "nobody" }, "agent");
  await refused({ base_branch: "-evil" }, "base_branch");
  expect((await api.ask("POST", "/agent/run", { prompt: "Hello", repo_id: 999_999 })).status).toBe(404);

  const ended = async (wanted: object) => {
    const created = await api.ask("POST", "/agent/run", { prompt: "Hello 👋🏽", agent: "steps", ...wanted });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const path = `/agent/run/${created.body.id}`;
    await expect.poll(async () => (await api.ask("GET", path)).body.finished_at, { timeout: 60_000 }).not.toBeNull();
    const { body } = await api.ask("GET", path);
    const last = (await api.ask("GET", `${path}/logs?reverse=true&limit=1`)).body.logs as { message_type: string }[];
    return { status: body.status, last: last[0] };
  };
  const repository = await api.ask("POST", "/repos", { source: makeRepository() });
  expect(await ended({})).toMatchObject({ status: "completed", last: { message_type: "FINAL_ANSWER" } });
  expect(await ended({ repo_id: repository.body.id, base_branch: "no/such" })).toMatchObject({
    status: "failed",
    last: { message_type: "ERROR", observation: { code: "branch_not_found" } },
  });
  const large = await ended({ prompt: "Much.\n```sh\nhead -c 50000000 /dev/zero | tr '\\0' x\n```" });
  expect(large).toMatchObject({ status: "completed" });
});
