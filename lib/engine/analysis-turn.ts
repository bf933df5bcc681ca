import type { AgentSession, TurnEnd } from "#lib/agents/agent.ts";
import { answerWords } from "#lib/analyst/answer-words.ts";
import { checkAnswer, parseAnswer } from "#lib/analyst/claims.ts";
import type { PreparedTrace } from "#lib/analyst/prepare-trace.ts";
import { analysisPrompt, repairPrompt } from "#lib/analyst/prompt.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { TurnRow } from "#lib/store/store.ts";
import { errorEntry } from "./ending-entries.ts";

type AnalysisTurn = {
  session: AgentSession;
  turn: TurnRow;
  trace: PreparedTrace;
  hasModel: boolean;
  /** Writes entries of the turn before its end. */
  write(entries: NewEntry[]): Promise<void>;
};

/**
 * One turn of an analysis. A model's answer is checked against the log: the FINAL_ANSWER contains what holds, in words
 * (`observation`) and as data (`tool_output`: claims, struck, partial, analysed, analysed_run_id). A malformed answer is
 * requested once more; then the turn fails. The built-in agent's answer already consists of checked findings.
 */
export async function promptAnalysis(parts: AnalysisTurn, signal: AbortSignal): Promise<TurnEnd> {
  const { session, turn, trace, hasModel, write } = parts;
  if (!hasModel) return withTrace(await session.prompt(turn, signal), trace);
  const first = await session.prompt({ ...turn, prompt: analysisPrompt(turn.prompt, trace.info) }, signal);
  if (first.status !== "completed") return first;
  const answer = parseAnswer(first.result ?? "");
  if (!("problem" in answer)) return withChecked(first, answer, trace);
  await write(first.entries.map(asThought));
  const again = { ...turn, prompt: repairPrompt(answer.problem), images: [], attachments: [] };
  const second = await session.prompt(again, signal);
  if (second.status !== "completed") return second;
  const repaired = parseAnswer(second.result ?? "");
  if (!("problem" in repaired)) return withChecked(second, repaired, trace);
  const message = `The agent's answer could not be read, even after it was asked again. ${repaired.problem}`;
  const entries = [...second.entries.map(asThought), errorEntry("analysis_unreadable", message)];
  return { status: "failed", result: null, entries };
}

async function withChecked(
  end: TurnEnd,
  answer: Parameters<typeof checkAnswer>[0],
  trace: PreparedTrace,
): Promise<TurnEnd> {
  const checked = await checkAnswer(answer, { steps: trace.info.entries, entryText: trace.entryText });
  const text = answerWords(checked, trace.info);
  return { ...end, result: text, entries: withAnswer(end.entries, text, { ...aboutTrace(trace), ...checked }) };
}

function withTrace(end: TurnEnd, trace: PreparedTrace): TurnEnd {
  if (end.status !== "completed" || end.result === null) return end;
  return { ...end, entries: withAnswer(end.entries, end.result, aboutTrace(trace)) };
}

function aboutTrace({ info }: PreparedTrace) {
  return { analysed_run_id: info.agent_run_id, analysed: info.entries, partial: info.partial };
}

/** The answer in words, and the same as data. */
function withAnswer(entries: NewEntry[], observation: string, tool_output: Record<string, unknown>): NewEntry[] {
  return entries.map((entry) =>
    entry.message_type === "FINAL_ANSWER" ? { ...entry, observation, tool_output } : entry,
  );
}

/** A rejected answer is kept as something the agent said. */
function asThought(entry: NewEntry): NewEntry {
  if (entry.message_type !== "FINAL_ANSWER") return entry;
  const { thought, observation } = entry;
  const said = typeof observation === "string" ? observation : JSON.stringify(observation);
  return {
    ...entry,
    message_type: "PLAN_EVALUATION",
    thought: thought === null ? said : `${thought}\n\n${said}`,
    observation: null,
  };
}
