import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// An agent that misbehaves in the manner named by its first argument; its second marks the processes it leaves running.
const [manner = "none", mark = "none"] = process.argv.slice(2);

type Message = { id?: number; method?: string };

const write = (text: string) =>
  process.stdout.write(text) || new Promise((resolve) => process.stdout.once("drain", resolve));
const send = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (fields: object) =>
  send({ method: "session/update", params: { sessionId: "misbehaving", update: fields } });
const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const finishedTool = (toolCallId: string, output: string) =>
  update({
    sessionUpdate: "tool_call",
    toolCallId,
    title: toolCallId,
    kind: "execute",
    status: "completed",
    rawInput: { command: toolCallId },
    rawOutput: { exit_code: 0, output },
  });
/** Starts a process outside the agent's process group, which would outlive it. */
const leaveRunning = () =>
  spawn("bash", ["-c", `exec -a ${mark} sleep 600`], { detached: true, stdio: "ignore" }).unref();
const endlessly = () => new Promise(() => setInterval(() => undefined, 1000));

/** Answers a prompt in each manner. Returns the stop reason. */
const turns: Record<string, () => Promise<string>> = {
  "exits-in-turn": async () => {
    leaveRunning();
    await say("I begin.");
    await finishedTool("first", "done");
    process.stderr.write("fatal: out of luck\n");
    process.exit(7);
  },
  "silent-in-turn": async () => {
    leaveRunning();
    await say("I think.");
    return await endlessly().then(() => "end_turn");
  },
  "ignores-cancel": async () => {
    process.on("SIGTERM", () => undefined);
    leaveRunning();
    for (;;) {
      await say("Still here. ");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  },
  "huge-output": async () => {
    await finishedTool("huge", "x".repeat(50_000_000));
    await say("Done.");
    return "end_turn";
  },
  floods: async () => {
    for (let number = 1; number <= 100_000; number += 1) await say(`${number} `);
    return "end_turn";
  },
  "floods-tools": async () => {
    for (let number = 1; number <= 2000; number += 1) await finishedTool(`call-${number}`, "done");
    return "end_turn";
  },
  "huge-line": async () => {
    // Never sends a newline.
    for (let count = 0; count < 400; count += 1) await write("x".repeat(1_000_000));
    return await endlessly().then(() => "end_turn");
  },
  "wrong-shapes": async () => {
    await update({ sessionUpdate: "no_such_update", content: [[[]]] });
    await update({ sessionUpdate: "tool_call", toolCallId: 5, title: null });
    await send({ method: "session/update", params: null });
    await send({ method: "session/update", params: { sessionId: "another", update: { sessionUpdate: "plan" } } });
    await send({ id: 99, result: {} });
    await send({ id: "x", method: "no/such/method", params: {} });
    await send({ id: 3, method: "fs/read_text_file", params: { sessionId: "misbehaving", path: "/etc/passwd" } });
    await write('[1,2]\nnull\n"text"\n{"jsonrpc":"2.0"}\n');
    await say("Survived.");
    return "end_turn";
  },
  "odd-stop": async () => "no_such_reason",
  refuses: async () => "refusal",
  none: async () => {
    await say("Fine.");
    return "end_turn";
  },
};

if (manner === "dies") {
  process.stderr.write("cannot find my configuration\n");
  process.exit(3);
}
if (manner === "garbage") setInterval(() => void write("\u0000\u001b[31m<html>{not json}\n"), 5);

for await (const line of createInterface({ input: process.stdin })) {
  if (manner === "silent" || manner === "garbage") continue;
  // The client at the other end is our own driver.
  const { id, method } = JSON.parse(line) as Message;
  if (method === "initialize") {
    const agentInfo = { name: manner, version: "1" };
    void send({ id, result: { protocolVersion: 1, agentInfo, agentCapabilities: {} } });
  } else if (method === "session/new") {
    if (manner === "refuses-session") void send({ id, error: { code: -32000, message: "Please log in first." } });
    else void send({ id, result: { sessionId: "misbehaving" } });
  } else if (method === "session/prompt") {
    const turn = turns[manner] ?? turns.none;
    void turn?.().then((stopReason) => send({ id, result: { stopReason } }));
  } else if (id !== undefined && method !== undefined) void send({ id, result: {} });
}
