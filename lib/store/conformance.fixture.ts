import type { TestContext } from "node:test";
import type { LogEntry, NewEntry } from "#lib/contract/logs/entry.ts";
import { Question } from "#lib/contract/runs/question.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import type { Claimed, Lease } from "#lib/store/runs/queue-store.ts";
import type { RunRow } from "#lib/store/runs/run-rows.ts";
import type { NewRun } from "#lib/store/runs/run-store.ts";
import type { Store } from "./store.ts";

/** Opens a new, empty store that reads the time from `now`; the caller closes it. */
export type OpenStore = (now: () => Date) => Promise<Store>;

/** A store with its first organization, on a clock that stands still until it is moved. */
export type Fixture = {
  store: Store;
  access: Access & { userId: number };
  /** An organization without anything. */
  foreign: Access;
  advance(ms: number): void;
  makeRun(changes?: Partial<NewRun>): Promise<RunRow>;
  /** Claims the oldest queued run; throws if there is none. */
  claim(engineId?: string): Promise<Claimed>;
  /** Creates a run and claims it. */
  startRun(changes?: Partial<NewRun>): Promise<Claimed>;
  finish(lease: Lease, status?: EndStatus): Promise<unknown>;
};

/** Any lease length. */
export const leaseMs = 30_000;

export async function openFixture(t: TestContext, open: OpenStore): Promise<Fixture> {
  let nowMs = Date.parse("2026-01-31T12:00:00.000Z");
  const store = await open(() => new Date(nowMs));
  t.after(() => store.close());
  const { organizationId, userId } = await store.organizations.ensureFirst({
    organization: "Errand",
    fullName: "Ada",
    email: "ada@example.com",
  });
  const access = { organizationId, userId };
  const fixture: Fixture = {
    store,
    access,
    foreign: { organizationId: organizationId + 1, userId },
    advance: (ms) => {
      nowMs += ms;
    },
    makeRun: (changes = {}) => store.runs.create(access, { ...newRun, ...changes }),
    claim: async (engineId = "engine") => {
      const claimed = await store.queue.claim(engineId, leaseMs);
      if (claimed === null) throw new Error("No run is queued");
      return claimed;
    },
    startRun: async (changes) => {
      await fixture.makeRun(changes);
      return fixture.claim();
    },
    finish: (lease, status = "completed") =>
      store.queue.finishTurn(lease, { status, result: `result: ${status}`, summary: status, entries: [said(status)] }),
  };
  return fixture;
}

const newRun = plainRun("Fix the build");

const blank = { thought: null, tool_name: null, tool_input: null, tool_output: null, observation: null };
const created_at = "2026-01-31T12:00:00.123Z";

/** A USER_MESSAGE. */
export function said(observation: string): NewEntry {
  return { ...blank, created_at, message_type: "USER_MESSAGE", observation };
}

/** An ACTION with this output. */
export function acted(output: string): NewEntry {
  const tool_output = { status: "completed", output };
  return {
    ...blank,
    created_at,
    message_type: "ACTION",
    tool_name: "shell",
    tool_input: { command: "ls" },
    tool_output,
  };
}

/** `count` messages that say their number, from 1. */
export function messages(count: number): NewEntry[] {
  return Array.from({ length: count }, (_, index) => said(`message ${index + 1}`));
}

/** A question with the options `yes` and `no`. */
export function question(id: string): Question {
  return Question.parse({
    id,
    title: "Run ls",
    tool_name: "shell",
    tool_input: { command: "ls" },
    options: [
      { id: "yes", name: "Allow", kind: "allow_once" },
      { id: "no", name: "Reject", kind: "reject_once" },
    ],
    asked_at: created_at,
    expires_at: "2026-01-31T13:00:00.000Z",
  });
}

/** The joined bodies of a page as values. */
export function parsePage(pieces: Uint8Array[]): LogEntry[] {
  return JSON.parse(`[${Buffer.concat(pieces).toString("utf8")}]`);
}
