import { RequestError } from "@agentclientprotocol/sdk";
import { type AgentDriver, type AgentSession, AgentStartError, type StartAgent } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { findCommand } from "#lib/agents/find-command.ts";
import { messageOf } from "#lib/message-of.ts";
import { announcedOf } from "./announced.ts";
import { authenticate } from "./authenticate.ts";
import { AgentConnection, within, withinUnlessAborted } from "./connection.ts";
import { errorEntry, exitError, type RecordedError } from "./error-entry.ts";
import { LiveSession } from "./live-session.ts";
import { notInstalled, probeAgent } from "./probe.ts";
import {
  chooseMode,
  chooseModel,
  type EarlierSession,
  openSession,
  shakeHands,
  signIn,
  UnavailableError,
} from "./session.ts";
import { findChoice, modeChoices, modelChoices } from "./session-choice.ts";
import { serversForSession } from "./session-servers.ts";
import { SessionState } from "./session-state.ts";
import { signInError } from "./sign-in-error.ts";
import { SwitchedListener } from "./switched-listener.ts";
import { rpcError } from "./turn-end.ts";
import { Usage } from "./usage.ts";

/**
 * Drives agents by the Agent Client Protocol, version 1, over stdio. `environment` is the service's own; an agent gets the part
 * that {@link agentEnvironment} passes on.
 */
export function acpDriver(environment: Record<string, string>): AgentDriver {
  return {
    start: (options) => startAgent(options, environment),
    authenticate: (profile, methodId, ...limits) => authenticate(profile, methodId, environment, ...limits),
    probe: (profile, ...how) => probeAgent(profile, environment, ...how),
  };
}

async function startAgent(options: StartAgent, environment: Record<string, string>): Promise<AgentSession> {
  const { profile, cwd, agentHome, limits, signal } = options;
  const env = agentEnvironment(environment, profile, agentHome, options.permissionMode);
  const command = await findCommand(profile.command, env.PATH ?? "");
  if (command === null) throw startError({ code: "agent_not_found", message: notInstalled(profile) });
  if (signal.aborted)
    throw startError({ code: "cancelled", message: "The run was cancelled before its agent started." });

  const listener = new SwitchedListener();
  let connection: AgentConnection;
  try {
    connection = new AgentConnection(await options.spawn(command, { cwd, env }), listener);
  } catch (error) {
    const message = `${profile.title} could not be started: ${messageOf(error)}`;
    throw startError({ code: "agent_start_failed", message });
  }
  let live: LiveSession;
  try {
    const opening = openLive(options, connection, listener);
    opening.catch(() => undefined);
    // It may have been aborted while the process was starting.
    const first = await withinUnlessAborted(Promise.race([opening, connection.ended]), limits.startMs, signal);
    if (first instanceof LiveSession) {
      live = first;
    } else {
      throw startError(await startProblem(first, options, connection));
    }
  } catch (error) {
    const problem = error instanceof AgentStartError ? error : startError(await problemOf(error, options, connection));
    await connection.close(0);
    throw problem;
  }
  try {
    await live.saveState();
  } catch (failure) {
    await live.close();
    throw failure;
  }
  return live;
}

/** Everything between a started process and a session that can be prompted. */
async function openLive(options: StartAgent, connection: AgentConnection, listener: SwitchedListener) {
  const { profile, cwd, permissionMode, model } = options;
  const earlier = SessionState.safeParse(options.state).data ?? null;
  const agent = await shakeHands(connection);
  await signIn(connection, profile, agent);
  const { mcpServers, notice } = serversForSession(connection, agent, profile, options.mcpServers);
  const opened = await openSession(connection, agent, { cwd, mcpServers }, earlierSession(options, earlier));
  const notices = [opened.notice, notice].filter((one) => one !== null);
  const session = {
    ...opened,
    servers: mcpServers.map(({ name }) => name),
    notice: notices.length === 0 ? null : notices.join(" "),
  };
  connection.hide(session.sessionId);
  const version = agent.agentInfo?.version ?? null;
  const announce = () => {
    const now = listener.options === null ? opened.opened : { ...opened.opened, configOptions: listener.options };
    options.host.onAnnounced?.(announcedOf(agent, now, listener.commands ?? [], profile), version);
  };
  listener.onAnnounced = announce;
  if (Object.keys(opened.opened).length > 1) announce();
  if (session.how === "loaded") await listener.quiet();
  await chooseMode(connection, session, profile, permissionMode, options.mode ?? null);
  // Reported before the mode was chosen.
  listener.mode = null;
  const modes = modeChoices(session.opened);
  const mode = findChoice(modes, options.mode ?? profile.modes[permissionMode] ?? "")?.id ?? modes[0]?.current ?? null;
  if (model !== null) await chooseModel(connection, session, profile, model);

  const name = agent.agentInfo?.name ?? null;
  const before = {
    model: earlier?.model ?? null,
    tokens: earlier?.tokens ?? null,
    costUsd: earlier?.cost_usd ?? null,
    sessionCostUsd: earlier?.session_cost_usd ?? null,
  };
  const usage = new Usage(name, before, session.how === "resumed" || session.how === "loaded");
  const current = model ?? modelChoices(session.opened)[0]?.current ?? null;
  if (current !== null && !["default", "auto"].includes(current)) usage.setModel(current);
  const state: SessionState = {
    agent: profile.id,
    agent_version: version,
    session_id: session.sessionId,
    cwd,
    model: usage.figures.model,
    tokens: usage.figures.tokens,
    cost_usd: usage.figures.costUsd,
    session_cost_usd: usage.sessionCostUsd,
  };
  return new LiveSession({ options, connection, listener, agent, session, usage, state, mode });
}

/** Another agent's session cannot be continued, but its usage counts for the run. */
function earlierSession({ profile, state }: StartAgent, earlier: SessionState | null): EarlierSession | null {
  if (state === null) return null;
  if (earlier === null) return { lost: "the saved state of the earlier session cannot be read" };
  return earlier.agent === profile.id ? { sessionId: earlier.session_id } : { lost: "it was another agent's" };
}

async function startProblem(
  first: Awaited<AgentConnection["ended"]> | "aborted" | null,
  { profile, limits }: StartAgent,
  connection: AgentConnection,
): Promise<RecordedError> {
  if (first === "aborted") return { code: "cancelled", message: "The run was cancelled while its agent started." };
  if (first !== null) return exitError(first, connection.diagnostics(), "before it was ready");
  const message = `${profile.title} was not ready within ${limits.startMs / 1000} s.`;
  return { code: "agent_start_timeout", message, data: connection.diagnostics() };
}

async function problemOf(error: unknown, { profile }: StartAgent, connection: AgentConnection): Promise<RecordedError> {
  if (error instanceof UnavailableError) {
    return { code: error.code, message: error.message, data: { available: error.available } };
  }
  if (error instanceof RequestError) {
    const { code, message, data } = rpcError(error);
    const notSignedIn = signInError(profile, { code, message, data }, connection.diagnostics().stderr);
    if (notSignedIn !== null) return notSignedIn;
    return {
      code,
      message: `${profile.title} could not open a session: ${message}`,
      data: { data, ...connection.diagnostics() },
    };
  }
  // The SDK closes the connection when the agent exits; the process then knows the reason better.
  const ended = await within(connection.ended, 2000);
  if (ended !== null) return exitError(ended, connection.diagnostics(), "before it was ready");
  const message = `${profile.title} sent a response that Errand could not read: ${error instanceof Error ? error.message : String(error)}`;
  return { code: "agent_start_failed", message: message.slice(0, 4000), data: connection.diagnostics() };
}

function startError(error: RecordedError): AgentStartError {
  return new AgentStartError(error.message, errorEntry(error, new Date()));
}
