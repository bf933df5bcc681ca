import { tmpdir } from "node:os";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import type { Agent } from "#lib/contract/agent.ts";
import { AgentConnection, within } from "./connection.ts";
import { exitError } from "./error-entry.ts";
import { startPlain } from "./plain-process.ts";
import { shakeHands } from "./session.ts";
import { SwitchedListener } from "./switched-listener.ts";

const answerMs = 20_000;

/** The message for an agent whose command is missing. */
export function notInstalled(profile: Pick<AgentProfile, "command" | "installHint">): string {
  const [program = ""] = profile.command;
  const where = program.includes("/") ? "is not an executable file" : "was not found on PATH";
  return `not installed: \`${program}\` ${where}.${profile.installHint === "" ? "" : ` ${profile.installHint}`}`;
}

/** Whether the profile's command exists and answers the handshake within 20 s. No session is opened, no model called. */
export async function probeAgent(
  profile: AgentProfile,
  environment: Record<string, string>,
  signal: AbortSignal,
): Promise<Omit<Agent, "is_default" | "isolation" | "isolation_reason" | "wall_problem">> {
  const found = (
    reason: string | null,
    version: string | null,
  ): Omit<Agent, "is_default" | "isolation" | "isolation_reason" | "wall_problem"> => ({
    id: profile.id,
    title: profile.title,
    ready: reason === null,
    reason,
    version,
    has_model: profile.hasModel,
    models: profile.models,
    keys: profile.keys.map(({ variable }) => variable),
    checked_at: new Date().toISOString(),
  });
  const env = agentEnvironment(environment, profile, null);
  const command = await findCommand(profile.command, env.PATH ?? "");
  if (command === null) return found(notInstalled(profile), null);
  const connection = new AgentConnection(startPlain(command, { cwd: tmpdir(), env }), new SwitchedListener());
  const stopped = new Promise<"stopped">((resolve) => {
    if (signal.aborted) resolve("stopped");
    signal.addEventListener("abort", () => resolve("stopped"), { once: true });
  });
  try {
    const first = await within(
      Promise.race([shakeHands(connection), connection.ended.then((ended) => ({ ended })), stopped]),
      answerMs,
    );
    if (first === "stopped") return found("it was not looked at: the check was stopped", null);
    if (first === null) return found(`it did not answer within ${answerMs / 1000} s`, null);
    if ("ended" in first) throw first;
    return found(null, first.agentInfo?.version ?? null);
  } catch {
    const ended = await within(connection.ended, 1000);
    const reason = ended
      ? exitError(ended, connection.diagnostics(), "before it answered").message
      : "it does not speak the Agent Client Protocol";
    return found(`does not work: ${reason.replace(/^The agent/, "it")}`, null);
  } finally {
    await connection.close(500);
  }
}
