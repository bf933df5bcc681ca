// Tier: rest
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
let web: ChildProcess;
let address: Promise<string>;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  startWeb();
});
after(async () => {
  web.kill("SIGKILL");
  await api.close();
});

/** Starts a web process over the store; its address is known when it listens. */
function startWeb(): void {
  web = spawn(process.execPath, [join(import.meta.dirname, "../web/web-process.fixture.ts"), api.folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const { stdout } = web;
  assert.ok(stdout);
  const ended = once(web, "exit").then(() => assert.fail("the web process ended before it listened"));
  const listens = once(createInterface({ input: stdout }), "line").then(([port]) => `http://127.0.0.1:${port}`);
  address = Promise.race([listens, ended]);
  address.catch(() => {});
}

async function killWeb(): Promise<void> {
  const gone = once(web, "exit");
  web.kill("SIGKILL");
  await gone;
  startWeb();
}

let unanswered = 0;

/** Posts until there is a response: a client without one does not know whether the line was kept. */
async function post(path: string, body: object): Promise<Record<string, unknown>> {
  for (;;) {
    const base = await address;
    try {
      const response = await fetch(`${base}${O}/claude_code/session${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      });
      const answer = await response.text();
      assert.equal(response.status, 200, answer);
      return fieldsOf(JSON.parse(answer));
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      unanswered += 1;
    }
  }
}

/** The lines of a session in which the agent thinks, speaks and calls two tools at once, again and again. */
function linesOf(count: number): object[] {
  const said = (block: object) => ({ type: "assistant", uuid: randomUUID(), message: { content: [block] } });
  const result = (id: string) => ({
    type: "user",
    uuid: randomUUID(),
    message: { content: [{ type: "tool_result", tool_use_id: id, content: `result of ${id}` }] },
  });
  return Array.from({ length: count }, (_, place) => {
    const round = Math.floor(place / 8);
    const call = (name: string) => `call ${round} ${name}`;
    switch (place % 8) {
      case 0:
        return { type: "user", uuid: randomUUID(), message: { content: `prompt ${round}` } };
      case 1:
        return said({ type: "thinking", thinking: `thought ${round}` });
      case 2:
        return said({ type: "text", text: `words ${round}` });
      case 3:
        return said({ type: "tool_use", id: call("a"), name: "Bash", input: { command: "a" } });
      case 4:
        return said({ type: "tool_use", id: call("b"), name: "Read", input: { file_path: "b" } });
      case 5:
        return result(call("b"));
      case 6:
        return result(call("a"));
      default:
        // Without a uuid: recognized by its content.
        return { type: "assistant", message: { content: [{ type: "text", text: `answer ${round}` }] } };
    }
  });
}

/** Expected log of such a session, entry by entry. */
function expectedOf(count: number): string[] {
  const rounds = Array.from({ length: count / 8 }, (_, round) => [
    `prompt ${round}`,
    `thought ${round}`,
    `words ${round}`,
    `result of call ${round} b`,
    `result of call ${round} a`,
    `answer ${round}`,
  ]);
  return rounds.flat();
}

const count = countOf({ short: 64, long: 2_000 });
const kills = countOf({ short: 1, long: 12 });

test("two sessions side by side, web killed in between: entries dense, in order, none doubled, none lost", async (t) => {
  const ids = await Promise.all([0, 1].map((which) => postSession(which)));
  for (const { runId, sessionId } of ids) {
    const logs: Record<string, unknown>[] = [];
    while (logs.length === 0 || logs.length % 100 === 0) {
      const page = await api.ask("GET", `${O}/agent/run/${runId}/logs?skip=${logs.length}`, { token });
      const more = page.json.logs as Record<string, unknown>[];
      if (more.length === 0) break;
      logs.push(...more);
    }
    assert.deepEqual(
      logs.map(({ seq }) => seq),
      logs.map((_, place) => place + 1),
    );
    assert.deepEqual(
      logs.map(({ observation, thought, tool_output }) => observation ?? thought ?? fieldsOf(tool_output).text),
      expectedOf(count),
    );
    const { json: run } = await api.ask("GET", `${O}/agent/run/${runId}`, { token });
    assert.deepEqual(
      [run.status, run.turns, run.total_logs, run.result],
      ["completed", count / 8, (count / 8) * 6, `answer ${count / 8 - 1}`],
    );
    const { json: session } = await api.ask("GET", `${O}/claude_code/session/${sessionId}`, { token });
    assert.deepEqual([session.lines, session.open_calls, session.left_out], [count, 0, []]);
  }
  t.diagnostic(`2 x ${count} lines, ${kills} kills, ${unanswered} posts without an answer`);

  async function postSession(which: number) {
    const sessionId = randomUUID();
    const { agent_run_id: runId } = await post("", { session_id: sessionId });
    for (const [place, log] of linesOf(count).entries()) {
      await post(`/${sessionId}/log`, { log });
      // Now and then a response is lost.
      if (place % 7 === 3) assert.equal((await post(`/${sessionId}/log`, { log })).duplicate, true);
      const isDue = which === 0 && place > 0 && place % Math.floor(count / (kills + 1)) === 0;
      // The other session keeps posting, so that one of its lines is in progress.
      if (isDue) await killWeb();
    }
    await post(`/${sessionId}/status`, { status: "COMPLETE" });
    return { sessionId, runId: Number(runId) };
  }
});
