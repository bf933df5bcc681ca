// An agent for tests: a real process that speaks ACP over real stdio and does what a scenario and its prompts say.
// One file, because it is one program, started by its path.
// Usage: node scripted-agent.fixture.ts '{"start": "exit", …}'
import { appendFileSync, existsSync } from "node:fs";
import { createInterface } from "node:readline";

type Scenario = {
  start?: "exit" | "silent" | "garbage" | "no-session";
  resume?: "ok" | "fails";
  load?: "ok" | "fails";
  replayAfterAnswer?: boolean;
  images?: boolean;
  /** Accepts text files as embedded context. */
  context?: boolean;
  /** Accepts MCP servers over HTTP; the prompt SERVERS is answered with the session's servers. */
  mcpHttp?: boolean;
  models?: "config" | "legacy";
  /** It never answers a request to change the model. */
  keepsModel?: boolean;
  modes?: string[];
  name?: string;
  version?: string;
  /** Names of the commands that it announces after opening a session. */
  told?: string[];
  /** After how many milliseconds; 20 by default. */
  toldMs?: number;
  /** How it receives messages while it works: as it announces (`ext`), by a second prompt, or by asking for them. */
  steers?: "ext" | "prompt" | "asks";
  /** Refuses a second prompt after so many milliseconds, or when it has answered the first. */
  refuses?: number | "answered";
  /** Asks for messages and ends at once: before the answer or after it. */
  diesAsking?: "before" | "after";
  /** Its answer to a message sent by `ext`; none: it never answers. */
  outcome?: "injected" | "promptRequired" | "failed" | "error" | "none";
  /** How `authenticate` ends by the method `account`: signed in, refused, without an answer, or the agent exits. */
  account?: "ok" | "refused" | "silent" | "exit";
  /** A file whose existence is its sign-in, made by `authenticate`. */
  signInFile?: string;
  /** The sign-in that it reports: kind and label. */
  status?: [string, string];
  /** Delay of its answer to the handshake, in milliseconds. */
  lateMs?: number;
  /** Each prompt is answered with the next of these, whatever it says … */
  answers?: string[];
  /** … and before the first answer it asks whether it may run these commands. */
  commands?: string[];
};
type Message = { id?: number | string; method?: string; params?: Record<string, unknown>; result?: unknown };

const scenario: Scenario = JSON.parse(process.argv[2] ?? "{}");
const waiting = new Map<number | string, (result: unknown) => void>();
let nextId = 1;
/** What the client announced about itself. */
let client: unknown = null;
let cancel: () => void = () => undefined;
let replayed: Promise<void> = Promise.resolve();

if (scenario.start === "exit") {
  process.stderr.write("sessionId=abc-123 created\nno license found\n");
  process.exit(3);
}
if (scenario.start === "garbage") {
  process.stdout.write("Welcome!\n{not json\n\u001b[31mred\u001b[0m\n[1,2]\n");
}

function send(message: Record<string, unknown>): Promise<void> {
  return new Promise((resolve) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, () => resolve()),
  );
}
const update = (fields: Record<string, unknown>) =>
  send({ method: "session/update", params: { sessionId: "session-1", update: fields } });
const say = (text: string) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
const think = (text: string) => update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } });

const pay = (amount: number) =>
  update({ sessionUpdate: "usage_update", used: 0, size: 1, cost: { amount, currency: "USD" } });

function ask(method: string, params: Record<string, unknown>): Promise<unknown> {
  const id = nextId++;
  void send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function opened(sessionId?: string) {
  const models = ["small", "large"];
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(scenario.modes
      ? { modes: { currentModeId: scenario.modes[0], availableModes: scenario.modes.map((id) => ({ id, name: id })) } }
      : {}),
    ...(scenario.models === "legacy"
      ? {
          models: {
            currentModelId: "small",
            availableModels: models.map((id) => ({ modelId: id, name: id.toUpperCase() })),
          },
        }
      : {}),
    ...(scenario.models === "config"
      ? {
          configOptions: [
            {
              id: "model",
              name: "Model",
              category: "model",
              type: "select",
              currentValue: "small",
              options: [
                { group: "g", name: "G", options: models.map((id) => ({ value: id, name: id.toUpperCase() })) },
              ],
            },
          ],
        }
      : {}),
  };
}

const chosen: string[] = [];
/** The answer of the turn WORK in progress, and the messages that it has received. */
let working: Promise<unknown> | null = null;
const received: unknown[] = [];
let onHeard: () => void = () => undefined;
function hear(blocks: unknown): void {
  // Its next step comes later than its answer.
  setTimeout(() => {
    received.push(blocks);
    onHeard();
  }, 200);
}
/** Works until it has received `messages` messages: a step, the messages, another step. */
async function work(messages: number, cancelled: Promise<"cancelled">): Promise<unknown> {
  await say("I begin.");
  for (let asking = scenario.steers === "asks"; asking && received.length < messages; ) {
    const asked = ask("craft/drainMidTurnQueue", { sessionId: "session-1" });
    if (scenario.diesAsking === "before") process.stdout.write("", () => process.exit(3));
    if (scenario.diesAsking === "after" && ((await asked) as { items: unknown[] }).items.length > 0) process.exit(3);
    for (const { content } of ((await asked) as { items: { content: unknown }[] }).items) hear(content);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const enough = new Promise<void>((resolve) => {
    onHeard = () => {
      if (received.length >= messages) resolve();
    };
    onHeard();
  });
  if ((await Promise.race([enough, cancelled])) === "cancelled") return { stopReason: "cancelled" };
  const tool = { toolCallId: "after", name: "shell", title: "after", kind: "execute" };
  await update({ sessionUpdate: "tool_call", ...tool, status: "completed", rawOutput: "ran" });
  await say(`received: ${JSON.stringify(received)}`);
  return { stopReason: "end_turn" };
}
let servers: unknown;

async function answer(message: Message): Promise<unknown> {
  const params = message.params ?? {};
  servers = params.mcpServers ?? servers;
  switch (message.method) {
    case "initialize":
      client = params.clientCapabilities;
      await new Promise((resolve) => setTimeout(resolve, scenario.lateMs ?? 0));
      if (scenario.status || scenario.signInFile) {
        const isIn = existsSync(scenario.signInFile ?? "");
        const [kind, label] = scenario.status ?? (isIn ? ["account", "Ann"] : ["none", "Not logged in"]);
        await send({ method: "_auth/status_update", params: { authStatus: { kind, label } } });
      }
      return {
        protocolVersion: 1,
        agentInfo: { name: scenario.name ?? "scripted", version: scenario.version ?? "1.2.3" },
        agentCapabilities: {
          loadSession: scenario.load !== undefined,
          ...(scenario.mcpHttp ? { mcpCapabilities: { http: true } } : {}),
          promptCapabilities: { image: scenario.images === true, embeddedContext: scenario.context === true },
          sessionCapabilities: scenario.resume === undefined ? {} : { resume: {} },
        },
        authMethods: [
          { id: "key", name: "Key", _meta: { "api-key": { provider: "scripted" } } },
          { id: "shell", name: "Log in", type: "terminal", args: ["login"] },
          { id: "words", name: "Log in", description: "Run `scripted login` in the terminal" },
          { id: "terminal-auth", name: "Log in", _meta: { "terminal-auth": { command: "scripted" } } },
          ...(scenario.account ? [{ id: "account", name: "Sign in with Scripted" }] : []),
        ],
        ...(scenario.steers === "ext" ? { _meta: { steering: { supported: true } } } : {}),
      };
    case "authenticate":
      chosen.push(`authenticate:${params.methodId}`);
      if (params.methodId === "account") {
        process.stderr.write("open https://login.example to go on\n");
        if (scenario.account === "silent") return new Promise(() => undefined);
        if (scenario.account === "exit") process.exit(4);
        if (scenario.account === "refused") throw { code: -32000, message: "The account has no license" };
        if (scenario.signInFile) appendFileSync(scenario.signInFile, "{}");
      }
      return {};
    case "session/new":
      if (scenario.start === "no-session") throw { code: -32000, message: "Authentication required" };
      if (scenario.told) {
        const availableCommands = scenario.told.map((name) => ({ name, description: `does ${name}`, input: null }));
        setTimeout(
          () => void update({ sessionUpdate: "available_commands_update", availableCommands }),
          scenario.toldMs ?? 20,
        );
      }
      return opened("session-1");
    case "session/resume":
      if (scenario.resume !== "ok") throw { code: -32002, message: `no such session: ${params.sessionId}` };
      return opened();
    case "session/load": {
      if (scenario.load !== "ok") throw { code: -32002, message: "nothing to load" };
      const replay = async () => {
        await update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "old prompt" } });
        await update({
          sessionUpdate: "tool_call",
          toolCallId: "old",
          title: "old",
          kind: "read",
          status: "completed",
        });
        await say("old answer");
      };
      if (scenario.replayAfterAnswer) replayed = new Promise((resolve) => setTimeout(() => resolve(replay()), 50));
      else await replay();
      return opened();
    }
    case "session/set_model":
      if (scenario.keepsModel) return new Promise(() => undefined);
      chosen.push(`model:${params.modelId}`);
      return {};
    case "session/set_mode":
      chosen.push(`mode:${params.modeId}`);
      return {};
    case "session/set_config_option":
      chosen.push(`${params.configId}=${params.value}`);
      return {};
    case "session/prompt":
      if (working !== null && scenario.refuses !== undefined) {
        const first = working;
        const ms = scenario.refuses === "answered" ? 20 : scenario.refuses;
        if (scenario.refuses === "answered") {
          hear("nothing");
          await first;
        }
        await new Promise((resolve) => setTimeout(resolve, ms));
        hear("nothing");
        throw { code: -32600, message: "a turn is in progress" };
      }
      if (working !== null && scenario.steers === "prompt") {
        hear(params.prompt);
        return working;
      }
      return prompt(params.prompt as { type: string; text?: string }[]);
    case "_session/steering": {
      const outcome = scenario.outcome ?? (working === null ? "promptRequired" : "injected");
      if (outcome === "error") throw { code: -32600, message: "no images, please" };
      if (outcome === "none") return new Promise(() => undefined);
      if (outcome === "injected") hear(params.prompt);
      return { outcome };
    }
    default:
      throw { code: -32601, message: `no ${message.method}` };
  }
}

async function prompt(blocks: { type: string; text?: string }[]): Promise<unknown> {
  const text =
    blocks.findLast((block) => block.text !== undefined && !block.text.startsWith("The attached file"))?.text ?? "";
  const next = scenario.answers?.shift();
  if (next !== undefined) {
    for (const command of scenario.commands?.splice(0) ?? []) await askToRun(command);
    await say(next);
    return { stopReason: "end_turn" };
  }
  const [command = "", ...words] = text.split(" ");
  const cancelled = new Promise<"cancelled">((resolve) => {
    cancel = () => resolve("cancelled");
  });
  switch (command) {
    case "WORK":
      working = work(Number(words[0] ?? 1), cancelled).finally(() => {
        working = null;
      });
      return working;
    case "BLOCKS":
      await replayed;
      await say(JSON.stringify({ blocks, chosen, client, env: Object.keys(process.env).sort() }));
      return { stopReason: "end_turn" };
    case "SERVERS":
      await say(JSON.stringify(servers));
      return { stopReason: "end_turn" };
    case "TELL-SERVERS":
      throw { code: -32050, message: `could not connect to ${JSON.stringify(servers)}`, data: servers };
    case "STOP":
      await say("so far");
      return { stopReason: words[0] };
    case "RPC-ERROR":
      throw {
        code: -32050,
        message: "Step 2 of 3 failed",
        data: { step: 2, in: "session-1", sessionId: null, old: { session_id: "of-before", sessionId: 12 } },
      };
    case "CODEX-ERROR": {
      const codex = (fields: Record<string, unknown>) =>
        update({ sessionUpdate: "session_info_update", _meta: { codex: fields } });
      await codex({ error: { message: "Reconnecting... 5/5", additionalDetails: "high demand" } });
      await codex({ threadStatus: { type: words[0] } });
      await say("We're currently experiencing high demand.");
      return { stopReason: "end_turn", usage: null };
    }
    case "PREFIXED":
      process.stdout.write('[info] {"jsonrpc":"2.0","method":"session/update","of":"session-1"}\nplain log\n');
      await say("Done.");
      return { stopReason: "end_turn" };
    case "SHORT-ID":
      process.stderr.write("Node.js v24: session of session-12 and 1 more\n", () => process.exit(7));
      return cancelled;
    case "EXIT":
      await update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        name: "shell",
        title: "x",
        kind: "execute",
        status: "in_progress",
      });
      process.stderr.write("lost session-1\nfatal: out of luck\n", () => process.exit(7));
      return cancelled;
    case "REFUSE":
      throw { code: -32000, message: "Authentication required" };
    case "COST":
      await pay(Number(words[0]));
      await say("paid");
      await cancelled;
      return { stopReason: "cancelled", usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };
    case "ANNOUNCE": {
      // Learned while it works: more commands, and another list of models.
      const availableCommands = words.map((name) => ({ name, description: `does ${name}`, input: null }));
      await update({ sessionUpdate: "available_commands_update", availableCommands });
      const option = { id: "model", name: "Model", category: "model", type: "select", currentValue: "huge" };
      const configOptions = [{ ...option, options: [{ value: "huge", name: "HUGE" }] }];
      await update({ sessionUpdate: "config_option_update", configOptions });
      await say("announced");
      return { stopReason: "end_turn" };
    }
    case "UNCOUNTED":
      await say("done");
      return { stopReason: "end_turn" };
    case "COMPLAIN":
      process.stderr.write("retrying: 500 from the model\n");
      return cancelled.then(() => ({ stopReason: "cancelled" }));
    case "WRITE-ON": {
      const file = words[0] ?? "";
      appendFileSync(file, "x");
      setInterval(() => appendFileSync(file, "x"), 5);
      await say("writing");
      return { stopReason: "end_turn" };
    }
    case "MODE":
      await update({ sessionUpdate: "current_mode_update", currentModeId: words[0] });
      await say("changed");
      return { stopReason: "end_turn" };
    case "SILENT":
      return cancelled.then(() => ({ stopReason: "cancelled" }));
    case "OPEN-TOOL":
      await think("a long one");
      await update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        name: "shell",
        title: "sleep",
        kind: "execute",
        rawInput: { command: "sleep 9" },
        status: "in_progress",
      });
      await cancelled;
      await update({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "failed" });
      return { stopReason: "cancelled" };
    case "IGNORE-CANCEL":
      await update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        name: "shell",
        title: "sleep",
        kind: "execute",
        rawInput: { command: "sleep 9" },
        status: "in_progress",
      });
      return new Promise(() => undefined);
    case "TICK": {
      for (let count = 0; count < Number(words[0]); count += 1) {
        await think(".");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { stopReason: "end_turn" };
    }
    case "BIG": {
      const output = "0123456789abcdef".repeat((Number(words[0]) * 1024 * 1024) / 16);
      await update({
        sessionUpdate: "tool_call",
        toolCallId: "t",
        name: "shell",
        title: "big",
        kind: "execute",
        rawInput: { command: "big" },
      });
      await update({
        sessionUpdate: "tool_call_update",
        toolCallId: "t",
        status: "completed",
        rawOutput: { output, exit_code: 0 },
      });
      await say("done");
      return { stopReason: "end_turn" };
    }
    case "MANY": {
      for (let count = 0; count < Number(words[0]); count += 1) {
        await update({
          sessionUpdate: "tool_call",
          toolCallId: `t${count}`,
          name: "n",
          title: "n",
          kind: "read",
          status: "completed",
          rawInput: { count },
        });
      }
      await say("done");
      return { stopReason: "end_turn" };
    }
    case "PERMISSION": {
      const [kind = "edit", ...ids] = words;
      const outcomes = await Promise.all(
        (ids.length > 0 ? ids : ["p"]).map(async (id) => {
          const offered = [
            { optionId: "no", name: "No", kind: "reject_once" },
            { optionId: "ever", name: "Always", kind: "allow_always" },
            { optionId: "yes", name: "Yes", kind: "allow_once" },
          ];
          const long = { optionId: "l".repeat(201), name: "Too long", kind: "allow_once" };
          const many = Array.from({ length: 20_000 }, (_, at) => ({
            ...offered[2],
            optionId: `o${at}`,
            name: "n".repeat(600),
          }));
          const options = { "no-options": [], "long-option": [long], "many-options": [long, ...many] }[id] ?? offered;
          const toolCall = {
            toolCallId: id,
            title: id === "many-options" ? "t".repeat(1_000_000) : "touch it",
            kind,
            rawInput: { path: "a.txt" },
            content: [{ type: "diff", path: "a.txt", oldText: "1", newText: "2" }],
          };
          const outcome = await ask("session/request_permission", { sessionId: "session-1", toolCall, options });
          const allowed = JSON.stringify(outcome).includes('"yes"');
          if (allowed)
            await update({
              sessionUpdate: "tool_call_update",
              toolCallId: id,
              status: "completed",
              rawOutput: "touched",
            });
          return outcome;
        }),
      );
      await say(JSON.stringify(outcomes));
      return { stopReason: JSON.stringify(outcomes).includes('"cancelled"') ? "cancelled" : "end_turn" };
    }
    default:
      if (command === "PAY") await pay(Number(words[0]));
      await say(`said: ${text}`);
      return {
        stopReason: "end_turn",
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
      };
  }
}

async function askToRun(command: string): Promise<void> {
  const toolCall = { toolCallId: command, title: command, kind: "execute", rawInput: { command } };
  const options = [
    { optionId: "no", name: "No", kind: "reject_once" },
    { optionId: "yes", name: "Yes", kind: "allow_once" },
  ];
  const outcome = await ask("session/request_permission", { sessionId: "session-1", toolCall, options });
  if (!JSON.stringify(outcome).includes('"yes"')) return;
  await update({ sessionUpdate: "tool_call_update", toolCallId: command, status: "completed", rawOutput: "ran" });
}

if (scenario.start === "silent") process.stdin.resume();
else {
  createInterface({ input: process.stdin })
    .on("line", async (line) => {
      const message: Message = JSON.parse(line);
      if (message.method === "session/cancel") return cancel();
      if (message.method === undefined) return waiting.get(message.id ?? "")?.(message.result);
      if (message.id === undefined) return;
      try {
        await send({ id: message.id, result: await answer(message) });
      } catch (error) {
        await send({ id: message.id, error });
      }
    })
    .on("close", () => process.exit(0));
}
