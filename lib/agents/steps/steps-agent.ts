import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import {
  type AgentApp,
  type AgentContext,
  agent,
  type ContentBlock,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { z } from "zod";
import { cutText } from "#lib/cut-text.ts";
import { replaySession } from "./replay-session.ts";
import type { TakeMessage } from "./run-step.ts";
import { promptText, runTurn, type StepsTurnEnd } from "./run-turn.ts";
import {
  newSessionState,
  type SessionFolder,
  SessionMode,
  type SessionState,
  type TurnRecord,
} from "./session-state.ts";
import { failureHeadline } from "./turn-report.ts";

/** Error code of the answer to a prompt whose explicit step failed, from the range reserved for servers. */
export const stepFailedCode = -32050;

/** `take`: adds a message to the turn at work; false if it is not possible (any more). */
type LiveTurn = { stop: AbortController; take: TakeMessage };
type LiveSession = { state: SessionState; turn: LiveTurn | null };

/** `_session/steering`, as claude-agent-acp and codex-acp announce it. */
const Steering = z.object({ sessionId: z.string(), prompt: z.array(z.custom<ContentBlock>()).min(1) });

const availableModes = [
  { id: "ask", name: "Ask", description: "Ask before every step" },
  { id: "auto", name: "Auto", description: "Run every step without asking" },
  { id: "read-only", name: "Read-only", description: "Run only the reading commands of a survey" },
];

/** What differs between built-in agents: the name, the work of a turn, and whether it takes messages during one. */
export type StepsAgentKind = { name: string; title: string; runTurn: typeof runTurn; steers?: boolean };

/** The agent that runs the steps of a prompt. */
export const stepsRunner: StepsAgentKind = {
  name: "steps",
  title: "Built-in steps runner (no model)",
  runTurn,
  steers: true,
};

/**
 * The agent as an ACP app. `env` is the environment of every step; `folder` keeps the sessions. It has no model, so it
 * reports no tokens, no cost and no model.
 */
export function createStepsAgent(env: NodeJS.Dict<string>, folder: SessionFolder, kind = stepsRunner): AgentApp {
  const sessions = new Map<string, LiveSession>();

  const getSession = (sessionId: string): LiveSession => {
    const session = sessions.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  };
  const reopenSession = async (sessionId: string, cwd: string): Promise<LiveSession> => {
    await requireFolder(cwd);
    if (sessions.get(sessionId)?.turn)
      throw RequestError.invalidRequest({ sessionId }, "a turn of this session is running");
    const state = await folder.find(sessionId);
    if (state === null) throw RequestError.sessionNotFound(sessionId);
    state.cwd = cwd;
    const session = { state, turn: null };
    sessions.set(sessionId, session);
    return session;
  };

  return agent({ name: kind.name })
    .onRequest("initialize", () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: kind.name, title: kind.title, version: "0.1.0" },
      agentCapabilities: {
        loadSession: true,
        // Accepted but not run: it runs the steps written in the text, and attached files are not steps.
        promptCapabilities: { embeddedContext: true },
        sessionCapabilities: { resume: {}, close: {} },
      },
      authMethods: [],
      ...(kind.steers === true ? { _meta: { steering: { supported: true } } } : {}),
    }))
    .onRequest("session/new", async ({ params }) => {
      await requireFolder(params.cwd);
      const state = newSessionState(params.cwd);
      await folder.save(state);
      sessions.set(state.sessionId, { state, turn: null });
      return { sessionId: state.sessionId, modes: modesOf(state) };
    })
    .onRequest("session/load", async ({ params, client }) => {
      const { state } = await reopenSession(params.sessionId, params.cwd);
      for (const update of replaySession(state)) {
        await client.notify("session/update", { sessionId: params.sessionId, update });
      }
      return { modes: modesOf(state) };
    })
    .onRequest("session/resume", async ({ params }) => {
      const { state } = await reopenSession(params.sessionId, params.cwd);
      return { modes: modesOf(state) };
    })
    .onRequest("session/close", ({ params }) => {
      getSession(params.sessionId).turn?.stop.abort();
      sessions.delete(params.sessionId);
    })
    .onRequest("session/set_mode", async ({ params }) => {
      const { state } = getSession(params.sessionId);
      const mode = SessionMode.safeParse(params.modeId);
      if (!mode.success) throw RequestError.invalidParams({ modeId: params.modeId }, "there is no such mode");
      state.mode = mode.data;
      await folder.save(state);
      return {};
    })
    .onNotification("session/cancel", ({ params }) => sessions.get(params.sessionId)?.turn?.stop.abort())
    .onRequest("_session/steering", Steering, ({ params }) => {
      const isTaken = kind.steers === true && getSession(params.sessionId).turn?.take(params.prompt) === true;
      return isTaken ? { outcome: "injected" } : { outcome: "promptRequired", reason: "noRunningTurn" };
    })
    .onRequest("session/prompt", async ({ params, client, signal }) => {
      const session = getSession(params.sessionId);
      if (session.turn !== null) {
        throw RequestError.invalidRequest({ sessionId: params.sessionId }, "a turn of this session is running");
      }
      const stop = new AbortController();
      const turn: LiveTurn = { stop, take: () => false };
      session.turn = turn;
      try {
        const stopped = AbortSignal.any([stop.signal, signal]);
        const onTake = (take: TakeMessage) => {
          turn.take = take;
        };
        return answerOf(await promptSession(session, params.prompt, stopped, client, onTake));
      } finally {
        session.turn = null;
      }
    });

  function promptSession(
    { state }: LiveSession,
    prompt: Parameters<typeof runTurn>[0],
    signal: AbortSignal,
    client: AgentContext,
    onTake: (take: TakeMessage) => void,
  ): Promise<StepsTurnEnd> {
    const record: TurnRecord = { prompt: promptText(prompt), opening: "", plan: [], steps: [], message: null };
    state.turns.push(record);
    const { sessionId, cwd, mode, permissions } = state;
    return kind.runTurn(prompt, record, {
      cwd,
      env,
      mode,
      permissions,
      signal,
      update: (update) => client.notify("session/update", { sessionId, update }),
      requestPermission: (toolCall, options) =>
        client.request("session/request_permission", { sessionId, toolCall, options }),
      save: () => folder.save(state),
      onTake,
    });
  }
}

function modesOf(state: SessionState) {
  return { currentModeId: state.mode, availableModes };
}

function answerOf(end: StepsTurnEnd): { stopReason: "end_turn" | "cancelled" } {
  switch (end.kind) {
    case "ended":
      return { stopReason: "end_turn" };
    case "cancelled":
      return { stopReason: "cancelled" };
    case "failed": {
      const { step, steps, result } = end;
      const data = {
        step,
        steps,
        command: cutText(result.command, 2000, "…"),
        exit_code: result.output.exit_code ?? null,
      };
      throw new RequestError(stepFailedCode, failureHeadline(step, steps, result), data);
    }
  }
}

async function requireFolder(cwd: string): Promise<void> {
  const isFolder =
    isAbsolute(cwd) &&
    (await stat(cwd).then(
      (there) => there.isDirectory(),
      () => false,
    ));
  if (!isFolder) throw RequestError.invalidParams({ cwd }, "cwd is not the absolute path of a folder that exists");
}
