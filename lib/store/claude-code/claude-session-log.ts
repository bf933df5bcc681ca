import type { Transaction } from "kysely";
import type { SessionStep } from "#lib/claude-code/session-step.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { summaryOf } from "#lib/contract/runs/run-summary.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { changeStatus } from "#lib/store/runs/change-status.ts";
import { startTurn } from "#lib/store/runs/external-runs.ts";
import { noteReportedStart } from "#lib/store/runs/reported-times.ts";
import type { Schema } from "#lib/store/schema.ts";
import { keepAnswer } from "#lib/store/turns/turn-answers.ts";
import { addWaitingTurn } from "#lib/store/turns/turns.ts";
import { type LoggedSession, saveSession } from "./logged-session.ts";

type Call = { name: string; input: Record<string, unknown>; at: string };

const callsOfLineMax = 100_000;
const untoldTool = "tool";
/** Stored in place of a call whose result came first. */
const untoldCall = "null";
const toldLate = { text: "The result of this call arrived before it, as an entry of its own." };

/** Turns a session's steps into entries, in order of arrival, inside one transaction. */
export class ClaudeSessionLog {
  readonly #trx: Transaction<Schema>;
  readonly #appender: EntryAppender;
  readonly #session: LoggedSession;
  readonly #nowMs: number;
  #entries: NewEntry[] = [];
  #calls = 0;

  constructor(trx: Transaction<Schema>, appender: EntryAppender, session: LoggedSession, nowMs: number) {
    this.#trx = trx;
    this.#appender = appender;
    this.#session = session;
    this.#nowMs = nowMs;
  }

  /** Takes the steps of one line. Returns why one was left out, or null. */
  async take(steps: readonly SessionStep[]): Promise<string | null> {
    let leftOut: string | null = null;
    for (const step of steps) leftOut = (await this.#takeStep(step)) ?? leftOut;
    await this.#append();
    return leftOut;
  }

  async #takeStep(step: SessionStep): Promise<string | null> {
    const hasAnswered = step.kind === "rest" || (step.kind === "prompt" && step.opens);
    await this.settleSaid(hasAnswered);
    switch (step.kind) {
      case "rest":
        return null;
      case "entry":
        this.#entries.push(step.entry);
        return null;
      case "prompt":
        await this.#takePrompt(step);
        return null;
      case "said":
        this.#session.said = { text: step.text, at: step.at, isHeld: true };
        // The last lines may arrive after the session has ended; they usually are the answer.
        if (step.isLast ?? this.#hasEnded()) await this.settleSaid(true);
        else if (step.isLast === false) await this.settleSaid(false);
        return null;
      case "call":
        return this.#openCall(step);
      case "result":
        return this.#answerCall(step);
    }
  }

  /** Writes the agent's last words, if they are not an entry yet: as the turn's answer, or as an intermediate message. */
  async settleSaid(isAnswer: boolean): Promise<void> {
    const { said } = this.#session;
    if (said === null || !said.isHeld) return;
    said.isHeld = false;
    const { text, at } = said;
    this.#entries.push(
      isAnswer ? entryOf("FINAL_ANSWER", at, { observation: text }) : entryOf("PLAN_EVALUATION", at, { thought: text }),
    );
    if (isAnswer) await this.keepAnswer();
  }

  /** Makes the agent's last words the answer of its turn. */
  async keepAnswer(): Promise<void> {
    const { said, runId } = this.#session;
    if (said === null) return;
    this.#session.said = null;
    await this.#append();
    const turn = await this.#trx
      .selectFrom("turns")
      .select("number")
      .where("run_id", "=", runId)
      .where("started_at", "is not", null)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    await keepAnswer(this.#trx, runId, turn.number, { result: said.text, summary: summaryOf(said.text) });
  }

  /** Reopens an ended session: the run continues with a further turn, whose prompt is still to come. */
  async reopen(): Promise<void> {
    const { runStatus, runId } = this.#session;
    if (isEnd(runStatus)) this.#session.openTurn = await this.#addTurn("A further prompt in the terminal");
    else if (runStatus === "waiting") {
      await changeStatus(this.#trx, runId, "running", this.#nowMs);
      this.#session.runStatus = "running";
    }
  }

  /** Writes calls without a result as unfinished. */
  async writeOpenCalls(): Promise<void> {
    const open = await this.#trx
      .selectFrom("claude_calls")
      .select(["call_id", "call"])
      .where("session", "=", this.#session.id)
      .where("state", "=", "open")
      .orderBy("number")
      .execute();
    for (const { call_id, call } of open) this.#entries.push(actionOf(call_id, callIn(call), {}, null));
    await this.#trx
      .updateTable("claude_calls")
      .set({ state: "unfinished" })
      .where("session", "=", this.#session.id)
      .where("state", "=", "open")
      .execute();
  }

  /** Writes an entry by the service itself. */
  write(entry: NewEntry): void {
    this.#entries.push(entry);
  }

  async countOpenCalls(): Promise<number> {
    const { open } = await this.#trx
      .selectFrom("claude_calls")
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .where("session", "=", this.#session.id)
      .where("state", "=", "open")
      .executeTakeFirstOrThrow();
    return open;
  }

  /** Writes the session's changes, and pending entries. */
  async save(): Promise<void> {
    await this.#append();
    await saveSession(this.#trx, this.#session);
  }

  async #takePrompt({ entry, text, opens }: Extract<SessionStep, { kind: "prompt" }>): Promise<void> {
    const { openTurn, runId } = this.#session;
    let turn: number | null = null;
    if (text !== null && openTurn !== null) {
      turn = openTurn;
      this.#session.openTurn = null;
      await this.#trx
        .updateTable("turns")
        .set({ prompt: text })
        .where("run_id", "=", runId)
        .where("number", "=", turn)
        .execute();
    } else if (text !== null && opens) {
      turn = await this.#addTurn(text);
    }
    this.#entries.push(turn === null ? entry : { ...entry, tool_input: { turn } });
  }

  async #addTurn(prompt: string): Promise<number> {
    const { runId, userId, runStatus } = this.#session;
    await this.#append();
    await addWaitingTurn(this.#trx, runId, { prompt, images: [], model: null }, userId, this.#nowMs);
    const turn = await startTurn(this.#trx, runId, this.#nowMs);
    if (isEnd(runStatus)) await changeStatus(this.#trx, runId, "queued", this.#nowMs);
    if (isEnd(runStatus) || runStatus === "waiting") await changeStatus(this.#trx, runId, "running", this.#nowMs);
    this.#session.runStatus = isEnd(runStatus) || runStatus === "waiting" ? "running" : runStatus;
    this.#session.status = "ACTIVE";
    this.#session.said = null;
    return turn.number;
  }

  async #openCall({ id, name, input, at }: Extract<SessionStep, { kind: "call" }>): Promise<string | null> {
    const call: Call = { name, input, at };
    const { numInsertedOrUpdatedRows } = await this.#trx
      .insertInto("claude_calls")
      .values({
        session: this.#session.id,
        call_id: id,
        number: this.#nextNumber(),
        state: "open",
        call: JSON.stringify(call),
      })
      .onConflict((conflict) => conflict.columns(["session", "call_id"]).doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 0n) return null;
    const { numUpdatedRows } = await this.#trx
      .updateTable("claude_calls")
      .set({ call: "{}" })
      .where("session", "=", this.#session.id)
      .where("call_id", "=", id)
      .where("call", "=", untoldCall)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return "it repeats a call";
    this.#entries.push(actionOf(id, call, toldLate, null));
    return null;
  }

  async #answerCall({ id, output, at }: Extract<SessionStep, { kind: "result" }>): Promise<string | null> {
    const known = await this.#trx
      .selectFrom("claude_calls")
      .select(["state", "call"])
      .where("session", "=", this.#session.id)
      .where("call_id", "=", id)
      .executeTakeFirst();
    if (known?.state === "answered") return "it repeats a result";
    this.#entries.push(actionOf(id, known === undefined ? null : callIn(known.call), output, at));
    await this.#trx
      .insertInto("claude_calls")
      .values({
        ...{ session: this.#session.id, call_id: id, number: this.#nextNumber(), state: "answered" },
        call: untoldCall,
      })
      .onConflict((conflict) => conflict.columns(["session", "call_id"]).doUpdateSet({ state: "answered", call: "{}" }))
      .execute();
    return null;
  }

  #hasEnded(): boolean {
    return this.#session.status !== "ACTIVE" || isEnd(this.#session.runStatus);
  }

  /** Sort order of calls: by line, then by position within it. */
  #nextNumber(): number {
    this.#calls += 1;
    return this.#session.lines * callsOfLineMax + Math.min(this.#calls, callsOfLineMax - 1);
  }

  async #append(): Promise<void> {
    const entries = this.#entries;
    this.#entries = [];
    if (entries.length === 0) return;
    const { runId } = this.#session;
    const written = writeEntries(entries);
    await noteReportedStart(this.#trx, runId, written);
    this.#session.totalLogs = await this.#appender.append(this.#trx, runId, written);
  }
}

function callIn(json: string): Call {
  const { name, input, at } = fieldsOf(parseExactJson(json));
  return { name: String(name), input: fieldsOf(input), at: String(at) };
}

/** The entry of a call; it ended when its result arrived. A result without a known call has no name and no input. */
function actionOf(id: string, call: Call | null, output: Record<string, unknown>, endedAt: string | null): NewEntry {
  const tookMs = call === null || endedAt === null ? Number.NaN : Date.parse(endedAt) - Date.parse(call.at);
  return entryOf("ACTION", endedAt ?? call?.at ?? "", {
    tool_call_id: id === "" ? null : id,
    tool_name: call?.name ?? untoldTool,
    tool_input: call?.input ?? {},
    tool_output: tookMs >= 0 ? { ...output, duration_ms: tookMs } : output,
  });
}

function entryOf(message_type: NewEntry["message_type"], created_at: string, fields: Partial<NewEntry>): NewEntry {
  return newEntry(message_type, created_at, { tool_call_id: null, ...fields });
}
