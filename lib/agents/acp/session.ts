import { PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentProfile } from "#lib/agents/agent.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import type { AgentConnection } from "./connection.ts";
import { lenient } from "./message.ts";
import { findChoice, modeChoices, modelChoices, OpenedSession } from "./session-choice.ts";

/** An agent's answer to the handshake. */
export const AgentHandshake = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: lenient(z.looseObject({ name: z.string(), version: lenient(z.string()) })),
  agentCapabilities: lenient(
    z.looseObject({
      loadSession: lenient(z.boolean()),
      mcpCapabilities: lenient(z.looseObject({ http: lenient(z.boolean()) })),
      promptCapabilities: lenient(
        z.looseObject({ image: lenient(z.boolean()), embeddedContext: lenient(z.boolean()) }),
      ),
      sessionCapabilities: lenient(
        z.looseObject({
          resume: z.unknown().optional(),
          fork: z.unknown().optional(),
          close: z.unknown().optional(),
        }),
      ),
    }),
  ),
  _meta: lenient(z.looseObject({ steering: lenient(z.looseObject({ supported: lenient(z.boolean()) })) })),
  authMethods: lenient(
    z.array(
      z.looseObject({
        id: z.string(),
        name: lenient(z.string()),
        description: lenient(z.string()),
        type: lenient(z.string()),
        _meta: lenient(z.record(z.string(), z.unknown())),
      }),
    ),
  ),
});
export type AgentHandshake = z.infer<typeof AgentHandshake>;

/** A session that can be prompted, and how it was opened. */
export type OpenSession = {
  sessionId: string;
  how: "new" | "resumed" | "loaded" | "seeded";
  /** Why the session is limited, or null. */
  notice: string | null;
  opened: OpenedSession;
};

/** An MCP server in the protocol's form. */
export type SessionServer =
  | { type: "http"; name: string; url: string; headers: { name: string; value: string }[] }
  | { name: string; command: string; args: string[]; env: { name: string; value: string }[] };

/** Folder and MCP servers of a session, in the protocol's form. */
export type SessionPlace = { cwd: string; mcpServers: SessionServer[] };

/** The session of an earlier attempt, or why its id cannot be used. */
export type EarlierSession = { sessionId: string } | { lost: string };

/** A model or a mode that the agent does not have. */
export class UnavailableError extends Error {
  readonly code: string;
  readonly available: string[];

  constructor(code: string, message: string, available: string[]) {
    super(message);
    this.name = "UnavailableError";
    this.code = code;
    this.available = available;
  }
}

/** The handshake. The agent gets no files or terminals from the client, because it works in its own checkout. */
export async function shakeHands(connection: AgentConnection): Promise<AgentHandshake> {
  const answer = await connection.request("initialize", {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "errand", title: "Errand", version: "0.1.0" },
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      // Claude and codex then report a command's whole output as it comes. With the delta each piece is appended to the earlier
      // ones.
      _meta: { terminal_output: true, terminal_output_delta: true },
    },
  });
  return AgentHandshake.parse(answer);
}

/** Signs in by the profile's method if the agent offers it. */
export async function signIn(connection: AgentConnection, profile: AgentProfile, agent: AgentHandshake): Promise<void> {
  const methodId = profile.authMethod;
  if (methodId === null || !(agent.authMethods ?? []).some(({ id }) => id === methodId)) return;
  await connection.request("authenticate", { methodId });
}

/**
 * Opens a session: continues `earlier` (null on a run's first attempt) by session/resume, else by session/load, else begins a new
 * one, which then needs a summary (how = "seeded"). Tries the next way only if the agent has answered with an error; a broken
 * connection throws.
 */
export async function openSession(
  connection: AgentConnection,
  agent: AgentHandshake,
  place: SessionPlace,
  earlier: EarlierSession | null,
): Promise<OpenSession> {
  if (earlier === null) return { ...(await newSession(connection, place)), how: "new", notice: null };
  const capabilities = agent.agentCapabilities;
  const refusals: string[] = [];
  const ways = [
    { how: "resumed", method: "session/resume", can: capabilities?.sessionCapabilities?.resume != null },
    { how: "loaded", method: "session/load", can: capabilities?.loadSession === true },
  ] as const;
  for (const { how, method, can } of ways) {
    if (!can || "lost" in earlier) continue;
    const { sessionId } = earlier;
    connection.hide(sessionId);
    try {
      const answer = await connection.request(method, { sessionId, ...place });
      const opened = OpenedSession.catch({}).parse(answer ?? {});
      return { sessionId, how, notice: refusals.length > 0 ? refusals.join("; ") : null, opened };
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      refusals.push(`${method}: ${error.message}`);
    }
  }
  const reason = "lost" in earlier ? earlier.lost : "the agent cannot continue a session";
  const why = refusals.length > 0 ? refusals.join("; ") : reason;
  const notice = `The earlier session could not be continued (${why}). A new one was given a summary of the run so far.`;
  return { ...(await newSession(connection, place)), how: "seeded", notice };
}

/**
 * Puts the session into the mode `own`, or else into the profile's for `permission`. In auto mode an agent without that mode
 * stays in its own, because its requests are allowed anyway; otherwise, and if it lacks `own`, throws {@link UnavailableError}.
 */
export async function chooseMode(
  connection: AgentConnection,
  { sessionId, opened }: OpenSession,
  profile: AgentProfile,
  permission: PermissionMode,
  own: string | null,
): Promise<void> {
  const wanted = own ?? profile.modes[permission];
  if (wanted === undefined) return;
  const choices = modeChoices(opened);
  const found = findChoice(choices, wanted);
  if (found !== null) {
    if (found.choice.current !== found.id) await found.choice.set(connection, sessionId, found.id);
    return;
  }
  if (permission === "auto" && own === null) return;
  const available = [...new Set(choices.flatMap((choice) => choice.available.map(({ id }) => id)))];
  const message = `${profile.title} has no mode "${wanted}"${own === null ? `, which ${permission} needs` : ""}. ${listed("modes", available)}`;
  throw new UnavailableError("mode_unavailable", message, available);
}

/** Chooses the model, by id or by name. Throws {@link UnavailableError} with the known models. */
export async function chooseModel(
  connection: AgentConnection,
  { sessionId, opened }: OpenSession,
  profile: AgentProfile,
  model: string,
): Promise<void> {
  const choices = modelChoices(opened);
  const found = findChoice(choices, model);
  if (found !== null) {
    await found.choice.set(connection, sessionId, found.id);
    return;
  }
  const available = [...new Set(choices.flatMap((choice) => choice.available.map(({ id }) => id)))];
  const message = `${profile.title} has no model "${model}". ${listed("models", available)}`;
  throw new UnavailableError("model_unavailable", message, available);
}

/** Opens a new session in a place. */
export async function newSession(connection: AgentConnection, place: SessionPlace) {
  const opened = OpenedSession.extend({ sessionId: z.string() }).parse(
    await connection.request("session/new", { ...place }),
  );
  return { sessionId: opened.sessionId, opened };
}

function listed(what: string, available: string[]): string {
  if (available.length === 0) return `It offers no choice of ${what}.`;
  const shown = available.slice(0, 60);
  const more = available.length - shown.length;
  return `Available ${what}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
