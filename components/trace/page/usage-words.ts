import { formatCost, formatCount } from "#components/shell/format-number.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { builtInAgent, internalAgents } from "#lib/contract/runs/agent-ids.ts";
import type { Run } from "#lib/contract/runs/run.ts";

type Used = Pick<Run, "agent" | "status" | "tokens" | "cost_usd">;

type FailedTurns = Pick<Run, "failed_turns" | "turns" | "queued_turns">;

/**
 * Tokens and cost of a run in words. Unknown figures are called "not reported", except for agents without a model, which use none,
 * and for a part of a run (not `isWhole`), whose figures may be hidden.
 */
export function usageWords(run: Used, isWhole = true): string[] {
  const { agent, tokens, cost_usd } = run;
  const isModelless = agent === builtInAgent || Object.hasOwn(internalAgents, agent);
  if (isModelless && tokens === null && cost_usd === null) return [];
  const cost = cost_usd === null ? [] : [formatCost(cost_usd)];
  const counts = tokens === null ? [] : [`${formatCount(tokens.input)} tokens in, ${formatCount(tokens.output)} out`];
  if (!isWhole) return [...counts, ...cost];
  const missing = isLive(run) ? "not reported so far" : "not reported";
  return [...(tokens === null ? [`Tokens ${missing}`] : counts), ...(cost_usd === null ? [`Cost ${missing}`] : cost)];
}

/** How many turns of a run with several failed; null if none did. The run's status is that of its last turn alone. */
export function failedTurnsWords({ failed_turns: failed, turns, queued_turns }: FailedTurns): string | null {
  const started = turns - queued_turns;
  return failed === 0 || started < 2 ? null : `${failed} of ${started} turns failed`;
}

/** Whether an ended run's agent has reported neither tokens nor cost, although it uses a model. */
export function reportedNothing(run: Used): boolean {
  return run.tokens === null && run.cost_usd === null && !isLive(run) && usageWords(run).length > 0;
}
