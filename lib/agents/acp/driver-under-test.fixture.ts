import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  type AgentLimits,
  AgentStartError,
  type ContainedProcess,
  type StartAgent,
  type TurnMessage,
  type TurnMessages,
} from "#lib/agents/agent.ts";
import { type NewEntry, populationProblem } from "#lib/contract/logs/entry.ts";
import type { Question } from "#lib/contract/runs/question.ts";
import { acpDriver } from "./driver.ts";
import { startPlain } from "./plain-process.ts";
import { scriptedProfile } from "./scripted-profile.fixture.ts";

/** Default limits of tests. */
export const limits: AgentLimits = {
  startMs: 10_000,
  inactivityMs: 20_000,
  turnMs: 30_000,
  questionMs: 5000,
  stopGraceMs: 3000,
};
/** A signal that is never aborted. */
export const never = new AbortController().signal;
/** The driver of a service with these variables. */
export const driver = acpDriver({ PATH: process.env.PATH ?? "", HOME: "", ERRAND_SECRET: "x", KEY: "k", OTHER: "o" });

type Given = Partial<Omit<StartAgent, "limits" | "profile">> & {
  limits?: Partial<AgentLimits>;
  profile?: Partial<StartAgent["profile"]>;
  ask?: (question: Question) => Promise<string | null>;
  onEntries?: (entries: NewEntry[]) => Promise<void>;
};

/** Starts the scripted agent with a scenario and records calls to the host. `firstTurn` is the number of the first turn. */
export async function start(t: TestContext, scenario: Record<string, unknown>, given: Given = {}, firstTurn = 1) {
  const entries: NewEntry[] = [];
  const states: Record<string, unknown>[] = [];
  const figures: unknown[] = [];
  const outputs: string[] = [];
  const questions: Question[] = [];
  const processes: ContainedProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), "errand-driver-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const session = await driver.start({
    cwd: folder,
    agentHome: folder,
    permissionMode: "auto",
    model: null,
    state: null,
    mcpServers: [],
    recap: async () => "what was done",
    signal: never,
    spawn: async (command, options) => {
      const started = startPlain(command, options);
      processes.push(started);
      return started;
    },
    ...given,
    profile: {
      ...scriptedProfile(scenario),
      ...given.profile,
    },
    limits: { ...limits, ...given.limits },
    host: {
      onEntries: given.onEntries ?? (async (finished) => void entries.push(...finished)),
      onProgress: (read) => void outputs.push(JSON.stringify(read())),
      onFigures: (told) => void figures.push(told),
      onState: async (state) => void states.push(state),
      ask: async (question) => {
        questions.push(question);
        return (await given.ask?.(question)) ?? null;
      },
    },
  });
  t.after(() => session.close());
  let number = firstTurn;
  const turn = async (
    prompt: string,
    signal: AbortSignal = never,
    images: string[] = [],
    model: string | null = null,
    messages?: TurnMessages,
  ) => {
    const from = entries.length;
    const asked = { number: number++, prompt, images, model };
    const end = await session.prompt(messages === undefined ? asked : { ...asked, messages }, signal);
    const all = [...entries.slice(from), ...end.entries];
    for (const entry of all) assert.equal(populationProblem({ ...entry }), null);
    return { ...end, all, types: all.map((entry) => entry.message_type) };
  };
  return { session, turn, entries, states, figures, outputs, questions, processes };
}

/**
 * Messages of people, of which the agent gets those that were passed to `send`. `settled` names them in order, with whether each
 * reached the agent; their entries are passed to `onEntries`. `refused` names those that the agent refused later, and whether they are
 * held.
 */
export function messagesUnderTest(onEntries: (entries: NewEntry[]) => void) {
  const waiting: TurnMessage[] = [];
  const settled: [number, boolean][] = [];
  const refused: [number, boolean][] = [];
  let onMessage: () => void = () => undefined;
  const listens = Promise.withResolvers<void>();
  const messages: TurnMessages = {
    listen(listener) {
      onMessage = listener;
      listens.resolve();
    },
    take: async () => waiting.shift() ?? null,
    settle: async ({ number }, entries) => {
      settled.push([number, entries !== null]);
      onEntries(entries ?? []);
    },
    refuse: async ({ number }, entries, isHeld) => {
      refused.push([number, isHeld]);
      onEntries(entries);
    },
  };
  const send = (number: number, prompt: string, images: string[] = []) => {
    waiting.push({ number, prompt, images });
    onMessage();
  };
  return { messages, settled, refused, send, waiting, listens: listens.promise };
}

/** The ERROR of a start that must fail. */
export async function startProblem(t: TestContext, scenario: Record<string, unknown>, given: Given = {}) {
  const error = await start(t, scenario, given).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AgentStartError, String(error));
  assert.equal(error.entry.message_type, "ERROR");
  const observation = error.entry.observation;
  assert.ok(observation !== null && typeof observation === "object");
  return { message: error.message, observation };
}

/** The observation of an entry, which must be an object. */
export function observed(entry: NewEntry | undefined): Record<string, unknown> {
  assert.ok(entry !== undefined && typeof entry.observation === "object" && entry.observation !== null);
  return entry.observation;
}

/** Waits for a condition, at most 10 s. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, "it did not happen within 10 s");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
