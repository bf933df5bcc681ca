import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { killEveryCommand } from "./run-command.ts";
import { openSessionFolder } from "./session-state.ts";
import { stepEnvironment } from "./step-environment.ts";
import { createStepsAgent, type StepsAgentKind } from "./steps-agent.ts";

/**
 * Serves a built-in agent over stdin and stdout until its client disconnects, then ends all its commands. Its one setting is
 * ERRAND_STEPS_STATE, the folder that keeps its sessions.
 */
export async function serveAgent(kind: StepsAgentKind): Promise<never> {
  const own = join(tmpdir(), `errand-${kind.name}-${process.getuid?.() ?? "user"}`);
  const stateFolder = process.env.ERRAND_STEPS_STATE || own;
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
  const agent = createStepsAgent(stepEnvironment(process.env), openSessionFolder(stateFolder), kind);
  await agent.connect(stream).closed;
  return leave(0);
}

function leave(exitCode: number): never {
  killEveryCommand();
  process.exit(exitCode);
}
