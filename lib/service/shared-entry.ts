import { LogEntry, type MessageType } from "#lib/contract/entry.ts";
import { withoutCheckOutput } from "#lib/entry/checks-said.ts";
import { outcomeOf } from "#lib/entry/outcome.ts";
import type { ShareRow } from "#lib/store/shares.ts";
import { clipParsed } from "./clip-entry.ts";
import { type MaskCount, maskJson, maskText, maskTextForCut } from "./mask-secrets.ts";

type Shows = Pick<ShareRow, "showsOutputs">;

/** Stored entry (JSON text) as a link shows it, with its strings cut at `clip` characters; null: uncut. */
export function presentSharedEntry(body: string, share: Shows, clip: number | null): string {
  return JSON.stringify(readSharedEntry(body, share, clip));
}

/**
 * {@link presentSharedEntry} as a value: what the link hides is removed, secrets are masked, then strings are cut.
 * Everything of an entry that leaves through a link passes through here.
 */
export function readSharedEntry(
  body: string,
  { showsOutputs }: Shows,
  clip: number | null,
  count: MaskCount = { masked: 0 },
): LogEntry {
  const entry = LogEntry.parse(JSON.parse(body));
  // Another run is not part of what is shared.
  if (entry.message_type === "AGENT_RUN_LINK") clear(entry);
  if (!showsOutputs) hideOutputs(entry);
  const mask = (text: string) => (clip === null ? maskText(text, count) : maskTextForCut(text, clip, count));
  maskJson(entry, mask, count);
  return clip === null ? entry : clipParsed(entry, clip);
}

function clear(entry: LogEntry): void {
  Object.assign(entry, { tool_name: null, tool_input: null, tool_output: null, observation: null });
}

/** Of a tool's output, only how it ended is left; details of an error are dropped, its message stays. */
function hideOutputs(entry: LogEntry): void {
  const { message_type, tool_output: output, observation } = entry;
  if (message_type === "ACTION") entry.outcome = outcomeOf(entry);
  if (isObject(output)) {
    entry.tool_output = {
      ...(typeof output.status === "string" && /^\w{1,40}$/.test(output.status) ? { status: output.status } : {}),
      ...(typeof output.exit_code === "number" ? { exit_code: output.exit_code } : {}),
      ...(typeof output.duration_ms === "number" ? { duration_ms: output.duration_ms } : {}),
      // A plan is the agent's own words, like its checklist.
      ...(message_type === "PLAN_EVALUATION" && Array.isArray(output.plan) ? { plan: output.plan } : {}),
    };
  } else if (output !== null) entry.tool_output = {};
  entry.observation = Object.hasOwn(shownObservations, message_type)
    ? shownObservations[message_type as MessageType](observation)
    : null;
}

const asItIs = (observation: unknown) => observation;

/** What is left of an observation if outputs are hidden; all of what agents, people and this service say themselves. */
const shownObservations: Record<MessageType, (observation: unknown) => unknown> = {
  ACTION: () => null,
  PLAN_EVALUATION: asItIs,
  FINAL_ANSWER: asItIs,
  ERROR: withoutDetails,
  USER_MESSAGE: (observation) => (typeof observation === "string" ? withoutCheckOutput(observation) : observation),
  USER_GITHUB_ISSUE_COMMENT: asItIs,
  INITIAL_PR_GENERATION: asItIs,
  DETECT_PR_ERRORS: withoutLogs,
  FIX_PR_ERRORS: asItIs,
  PR_CREATION_FAILED: asItIs,
  PR_EVALUATION: asItIs,
  COMMIT_EVALUATION: asItIs,
  AGENT_RUN_LINK: asItIs,
};

/** An error's code and message; a text is all message. */
function withoutDetails(observation: unknown): unknown {
  if (!isObject(observation)) return observation;
  const { code, message } = observation;
  return {
    ...(typeof code === "string" ? { code } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

/** Checks of a pull request without their output: only names and outcomes are left. */
function withoutLogs(observation: unknown): unknown {
  if (!isObject(observation)) return null;
  const { round, commit, failing, ignored, checks } = observation;
  const shown = (Array.isArray(checks) ? checks : [])
    .filter(isObject)
    .map(({ name, status, conclusion, duration_ms }) => {
      return { name, status, conclusion, duration_ms };
    });
  return { round, commit, failing, ignored, checks: shown };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
