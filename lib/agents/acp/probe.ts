import type { AgentProfile, FoundAgent } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import { isOlder, unaskedAgent, withAnnounced } from "#lib/agents/found-agent.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";
import { announcedOf } from "./announced.ts";
import { type AgentConnection, within, withinUnlessAborted } from "./connection.ts";
import { exitError } from "./error-entry.ts";
import { type AgentHandshake, newSession, shakeHands, signIn } from "./session.ts";
import { signInMethodsOf } from "./sign-in-methods.ts";
import { isSignInError, signInOf } from "./sign-in-state.ts";
import { startInFolder } from "./start-in-folder.ts";
import { SwitchedListener } from "./switched-listener.ts";

/** How long to wait for the list of commands, which follows the session's answer; most agents send it within a second. */
const commandsMs = 3000;
/** How long to keep listening for a later list of commands, when the rest of the answer is already known. */
const lateCommandsMs = 60_000;

/** The message for an agent whose command is missing. */
export function notInstalled(profile: Pick<AgentProfile, "command" | "installHint">): string {
  const [program = ""] = profile.command;
  const where = program.includes("/") ? "is not an executable file" : "was not found on PATH";
  return `not installed: \`${program}\` ${where}.${profile.installHint === "" ? "" : ` ${profile.installHint}`}`;
}

/**
 * Checks whether the profile's command exists and answers, and what it announces when it opens a session in an empty folder,
 * which calls no model. An agent that does not answer within `startMs` is slow: runs may try it.
 */
export async function probeAgent(
  profile: AgentProfile,
  environment: Record<string, string>,
  signal: AbortSignal,
  startMs: number,
  onLate?: (announced: Promise<Announced | null>) => void,
): Promise<FoundAgent> {
  const found = unaskedAgent(profile);
  const env = agentEnvironment(environment, profile, null);
  const command = await findCommand(profile.command, env.PATH ?? "");
  if (command === null) return { ...found, state: "not_installed", ready: false, reason: notInstalled(profile) };
  const listener = new SwitchedListener();
  const started = await startInFolder(command, env, listener);
  if ("problem" in started) return notWorking(found, started.problem);
  const { connection, close } = started;
  const inTime = <Answer>(answer: Promise<Answer>) => {
    const gone = connection.ended.then((ended) => Promise.reject(ended));
    return withinUnlessAborted(Promise.race([answer, gone]), startMs, signal);
  };
  let listensOn = false;
  try {
    const agent = await inTime(shakeHands(connection));
    if (agent === "aborted" || agent === null) return slow(found, startMs);
    const met = { ...found, version: agent.agentInfo?.version ?? null, sign_in_methods: signInMethodsOf(agent) };
    const session = await inTime(openProbeSession(connection, listener, profile, agent, started.folder));
    if (session === "aborted" || session === null) return slow(met, startMs);
    const { announced, refused, late } = session;
    if (late !== null && onLate !== undefined) {
      listensOn = true;
      onLate(
        withinUnlessAborted(Promise.race([late(), connection.ended.then(() => null)]), lateCommandsMs, signal)
          .then((announced) => (announced === "aborted" ? null : announced))
          .catch(() => null)
          .finally(() => close(500)),
      );
    }
    const sign_in = await signInOf(profile, env, { refused, reported: listener.signIn });
    return judged(withAnnounced({ ...met, sign_in }, announced));
  } catch {
    const ended = await within(connection.ended, 1000);
    const why = ended
      ? exitError(ended, connection.diagnostics(), "before it answered").message
      : "it does not speak the Agent Client Protocol";
    return notWorking(found, why.replace(/^The agent/, "it"));
  } finally {
    if (!listensOn) await close(500);
  }
}

function notWorking(found: FoundAgent, why: string): FoundAgent {
  return { ...found, state: "not_working", ready: false, reason: `does not work: ${why}` };
}

function slow(found: FoundAgent, startMs: number): FoundAgent {
  return { ...found, state: "slow", reason: `it did not respond within ${startMs / 1000} s at the last check` };
}

function judged(found: FoundAgent): FoundAgent {
  const { version, oldest_version: oldest, sign_in } = found;
  if (version !== null && oldest !== null && isOlder(version, oldest)) {
    const how = found.install === null ? "" : ` Update it with \`${found.install}\`.`;
    return {
      ...found,
      state: "too_old",
      reason: `version ${version} is older than ${oldest}, the oldest that is known to work.${how}`,
    };
  }
  if (sign_in.state !== "needed") return found;
  const detail = sign_in.detail === null ? "" : ` (${sign_in.detail.replace(/\.$/, "")})`;
  return { ...found, state: "needs_sign_in", reason: `it is not signed in${detail}. ${sign_in.hint ?? ""}`.trim() };
}

/**
 * What a new session announces. `refused`: why the agent opens none before a sign-in; null if it gave no such reason. `late`: waits
 * for its commands; null if they have come.
 */
async function openProbeSession(
  connection: AgentConnection,
  listener: SwitchedListener,
  profile: AgentProfile,
  agent: AgentHandshake,
  cwd: string,
): Promise<{
  announced: Announced | null;
  refused: string | null;
  late: (() => Promise<Announced>) | null;
}> {
  const told = new Promise<void>((resolve) => {
    listener.onAnnounced = () => {
      if (listener.commands !== null) resolve();
    };
  });
  try {
    await signIn(connection, profile, agent);
    const { sessionId, opened } = await newSession(connection, { cwd, mcpServers: [] });
    const announced = () => announcedOf(agent, opened, listener.commands ?? [], profile);
    await within(told, commandsMs);
    if (listener.commands === null) return { announced: announced(), refused: null, late: () => told.then(announced) };
    if (agent.agentCapabilities?.sessionCapabilities?.close != null) {
      await within(
        connection.request("session/close", { sessionId }).catch(() => null),
        1000,
      );
    }
    return { announced: announced(), refused: null, late: null };
  } catch (error) {
    // If the agent exited while it opened the session, report its exit instead.
    if ((await within(connection.ended, 100)) !== null) throw error;
    const refused = isSignInError(error) && error instanceof Error ? error.message : null;
    return { announced: null, refused, late: null };
  }
}
