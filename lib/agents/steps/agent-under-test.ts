import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type ClientContext,
  client,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk";

/** How a prompt was answered. */
export type PromptAnswer = { stopReason: StopReason } | { error: { code: number; message: string; data: unknown } };

/** The agent in its own process, driven over stdio like a client does. `updates` has everything it has sent. */
export type AgentUnderTest = {
  process: ChildProcess;
  agent: ClientContext;
  updates: SessionUpdate[];
  questions: RequestPermissionRequest[];
  prompt: (sessionId: string, text: string) => Promise<PromptAnswer>;
  newSession: (cwd: string, modeId?: string) => Promise<string>;
  /** Resolves with the first update, past or future, for which the test is true; rejects after 10 s. */
  waitFor: (test: (update: SessionUpdate) => boolean) => Promise<SessionUpdate>;
};

type AgentOptions = { env?: NodeJS.Dict<string>; stateFolder?: string; answers?: string[] };

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Starts the agent; it ends with the test. `answers` are the option ids given to its questions, in order. */
export async function startAgent(t: TestContext, options: AgentOptions = {}): Promise<AgentUnderTest> {
  const env = { ...process.env, ERRAND_STEPS_STATE: options.stateFolder ?? tempFolder(t), ...options.env };
  const child = spawn(process.execPath, [main], { env, stdio: ["pipe", "pipe", "inherit"] });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.stdin.end();
    await once(child, "exit");
  });
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const answers = [...(options.answers ?? [])];
  const listeners = new Set<(update: SessionUpdate) => void>();
  const app = client({ name: "test" })
    .onNotification("session/update", ({ params }) => {
      updates.push(params.update);
      for (const listener of listeners) listener(params.update);
    })
    .onRequest("session/request_permission", ({ params }) => {
      questions.push(params);
      const optionId = answers.shift();
      if (optionId === undefined) return new Promise(() => {});
      return { outcome: optionId === "cancelled" ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
    });
  // stdout has no encoding set, so its chunks are bytes.
  const stdout = Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>;
  const { agent } = app.connect(ndJsonStream(Writable.toWeb(child.stdin), stdout));
  await agent.request("initialize", { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return {
    process: child,
    agent,
    updates,
    questions,
    async newSession(cwd, modeId) {
      const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
      if (modeId !== undefined) await agent.request("session/set_mode", { sessionId, modeId });
      return sessionId;
    },
    async prompt(sessionId, text) {
      try {
        const { stopReason } = await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
        return { stopReason };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return { error: { code: error.code, message: error.message, data: error.data } };
      }
    },
    waitFor(test) {
      const past = updates.find(test);
      if (past !== undefined) return Promise.resolve(past);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error("the awaited update did not come within 10 s")), 10_000);
        const listener = (update: SessionUpdate) => {
          if (!test(update)) return;
          clearTimeout(timer);
          listeners.delete(listener);
          resolve(update);
        };
        listeners.add(listener);
      });
    },
  };
}

/** A new folder for one test, removed after it. */
export function tempFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "errand steps "));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A git repository with these files in one commit; without files it has no commit. */
export function gitRepository(t: TestContext, files: Record<string, string> = {}): string {
  const folder = tempFolder(t);
  git(folder, "init", "--quiet", "--initial-branch=main");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (Object.keys(files).length > 0) {
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "--message=first");
  }
  return folder;
}

/** Runs git in a folder as a fixed person and returns what it prints. */
export function git(cwd: string, ...args: string[]): string {
  const person = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...person, ...args], { cwd, encoding: "utf8" });
}

/** All tool calls of a stream of updates, in order, each with its last status, content and output merged in. */
export function toolCalls(updates: SessionUpdate[]) {
  const calls = new Map<string, Extract<SessionUpdate, { sessionUpdate: "tool_call" }>>();
  for (const update of updates) {
    if (update.sessionUpdate === "tool_call") calls.set(update.toolCallId, { ...update });
    if (update.sessionUpdate !== "tool_call_update") continue;
    const call = calls.get(update.toolCallId);
    if (call === undefined) continue;
    if (update.status) call.status = update.status;
    if (update.content) call.content = update.content;
    if (update.rawOutput !== undefined) call.rawOutput = update.rawOutput;
  }
  return [...calls.values()];
}

/** The text of all chunks of one kind. */
export function textOf(
  updates: SessionUpdate[],
  kind: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk",
) {
  return updates
    .flatMap((update) => (update.sessionUpdate === kind && update.content.type === "text" ? update.content.text : []))
    .join("\n");
}

/** The text blocks of the content of a tool call or its update, "" if it has none. */
export function contentText(call: object = {}): string {
  const blocks: unknown[] = "content" in call && Array.isArray(call.content) ? call.content : [];
  return blocks
    .map((block) => JSON.parse(JSON.stringify(block)))
    .filter((block) => block.type === "content")
    .map((block) => String(block.content.text))
    .join("");
}

/** The statuses of the last plan shown, in order. */
export function lastPlan(updates: SessionUpdate[]): { content: string; status: string }[] {
  const plans = updates.flatMap((update) => (update.sessionUpdate === "plan" ? [update.entries] : []));
  return (plans.at(-1) ?? []).map(({ content, status }) => ({ content, status }));
}

/** Waits until a process has ended; rejects after 10 s. A zombie counts as ended. */
export async function processEnded(pid: number): Promise<void> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const state = execFileSync("sh", ["-c", `ps -o stat= -p ${pid} || true`], { encoding: "utf8" }).trim();
    if (state === "" || state.startsWith("Z")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`process ${pid} is still running`);
}
