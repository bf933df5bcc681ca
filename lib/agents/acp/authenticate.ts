import { RequestError } from "@agentclientprotocol/sdk";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import { within, withinUnlessAborted } from "./connection.ts";
import { exitError } from "./error-entry.ts";
import { notInstalled } from "./probe.ts";
import { shakeHands } from "./session.ts";
import { signInMethodsOf } from "./sign-in-methods.ts";
import { startInFolder } from "./start-in-folder.ts";
import { SwitchedListener } from "./switched-listener.ts";

/** Time for an agent that has signed in to write that down before it is ended. */
const writeMs = 3000;
const wordsMax = 500;

/**
 * Signs in to an agent by one of its own methods, as the user that runs the service. Returns null when the agent says that it is
 * signed in, otherwise why not, in its words.
 */
export async function authenticate(
  profile: AgentProfile,
  methodId: string,
  environment: Record<string, string>,
  signal: AbortSignal,
  limitMs: number,
): Promise<string | null> {
  const env = agentEnvironment(environment, profile, null);
  const command = await findCommand(profile.command, env.PATH ?? "");
  if (command === null) return notInstalled(profile);
  const started = await startInFolder(command, env, new SwitchedListener());
  if ("problem" in started) return `The agent does not work: ${started.problem}.`;
  const { connection, close } = started;
  const attempt = async () => {
    const agent = await shakeHands(connection);
    if (!signInMethodsOf(agent).some(({ id }) => id === methodId)) return { said: "It no longer has this method." };
    await connection.request("authenticate", { methodId });
    return { said: null };
  };
  try {
    const trying = attempt();
    trying.catch(() => undefined);
    const end = await withinUnlessAborted(trying, limitMs, signal);
    if (end === "aborted") return "Errand was stopped before the sign-in ended.";
    if (end !== null) return end.said;
    const last = connection.diagnostics().stderr.split("\n").at(-1)?.trim();
    return `It did not end within ${Math.round(limitMs / 1000)} s.${last ? ` Last output: ${last.slice(0, wordsMax)}` : ""}`;
  } catch (error) {
    if (error instanceof RequestError) return wordsOf(error);
    const ended = await within(connection.ended, 1000);
    if (ended === null) return "It does not speak the Agent Client Protocol.";
    return exitError(ended, connection.diagnostics(), "before it was signed in").message;
  } finally {
    await close(signal.aborted ? 0 : writeMs);
  }
}

/** The agent's message, with what it adds to one that says nothing by itself. */
function wordsOf({ message, data }: RequestError): string {
  const details =
    typeof data === "object" && data !== null && "details" in data && typeof data.details === "string"
      ? data.details
      : null;
  const words = details === null ? message : `${message.replace(/[.:]$/, "")}: ${details}`;
  return words.slice(0, wordsMax);
}
