import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { killEveryCommand } from "./run-command.ts";
import { openSessionFolder } from "./session-state.ts";
import { createStepsAgent } from "./steps-agent.ts";

// The agent over stdin and stdout. Its one setting is ERRAND_STEPS_STATE, the folder that keeps its sessions.

const stateFolder = process.env.ERRAND_STEPS_STATE || join(tmpdir(), `errand-steps-${process.getuid?.() ?? "user"}`);

function leave(exitCode: number): never {
  killEveryCommand();
  process.exit(exitCode);
}

process.on("exit", killEveryCommand);
for (const [signal, exitCode] of [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(signal, () => leave(exitCode));
}
process.stdout.on("error", () => leave(1));

// stdin has no encoding set, so its chunks are bytes.
const stdin = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>;
const stream = ndJsonStream(Writable.toWeb(process.stdout), stdin);
const connection = createStepsAgent(stepEnvironment(process.env), openSessionFolder(stateFolder)).connect(stream);
await connection.closed;
leave(0);

/** The environment of the steps: the agent's own without Errand's settings and secrets. */
function stepEnvironment(env: NodeJS.Dict<string>): NodeJS.Dict<string> {
  // NODE_TEST_CONTEXT makes a `node --test` below report to a test runner above that is not listening.
  const kept = ([name]: [string, unknown]) => !name.startsWith("ERRAND_") && name !== "NODE_TEST_CONTEXT";
  return Object.fromEntries(Object.entries(env).filter(kept));
}
