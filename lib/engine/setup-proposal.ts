import { z } from "zod";
import type { TurnEnd } from "#lib/agents/agent.ts";
import { setupBounds } from "#lib/contract/bounds.ts";
import {
  CommandText,
  InputPath,
  type Proposal,
  type ProposedCommand,
  TriedOutcome,
} from "#lib/contract/repositories/setup.ts";
import { Confidence, Evidence, SetupKind } from "#lib/contract/repositories/setup-command.ts";
import { Text } from "#lib/contract/text.ts";
import { cutText } from "#lib/cut-text.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import { fencedBlocks } from "#lib/fenced-blocks.ts";
import type { Claimed, Store } from "#lib/store/store.ts";

/** One command of an answer. Facts that its agent leaves out, or gives in another form, count as unknown. */
const AnsweredCommand = z.object({
  kind: SetupKind,
  command: CommandText,
  outcome: TriedOutcome.default("not_tried"),
  exit_code: z.int().nullish().catch(null),
  duration_ms: z.number().min(0).nullish().catch(null),
  note: z.string().nullish().catch(null),
  confidence: Confidence.nullish().catch(null),
  evidence: z
    .array(Evidence.extend({ path: Text(1024), line: z.int().min(1) }))
    .max(20)
    .nullish()
    .catch(null),
});

/** The block of JSON in the answer of a generate run. Its entries are checked one by one. */
const AnsweredSetup = z.object({
  commit: Text(64).nullish().catch(null),
  commands: z.array(z.unknown()),
  inputs: z.array(z.unknown()).nullish(),
  left_out: z.array(z.unknown()).nullish().catch(null),
});

const noteCharactersMax = 2000;
const sentencesMax = 50;

/**
 * Stores a generate run's proposal at the end of its turn. If its answer or part of it is unusable, the end gets a notice with
 * the reason. Other runs end unchanged. Throws LeaseLostError.
 */
export async function keepProposal(store: Store, { run, lease }: Claimed, end: TurnEnd): Promise<TurnEnd> {
  if (run.sourceType !== "SETUP_COMMANDS" || run.repositoryId === null || end.status !== "completed") return end;
  const read = readProposal(end.result ?? "");
  if ("problem" in read) return withNotice(end, "No proposal", read.problem);
  await store.setups.keepProposal(lease, run.repositoryId, read.proposal);
  if (read.refused.length === 0) return end;
  const text = ["These parts of the answer are not in the proposal:", ...read.refused.map((one) => `- ${one}`)].join(
    "\n",
  );
  return withNotice(end, "Left out of the proposal", text);
}

function withNotice(end: TurnEnd, notice: string, text: string): TurnEnd {
  return { ...end, entries: [noticeEntry(notice, text), ...end.entries] };
}

/**
 * The proposal in an answer: the usable entries of its last block of JSON. `refused` has a sentence for each of the others,
 * which become the proposal's `left_out`. A problem if nothing is usable.
 */
export function readProposal(answer: string): { proposal: Proposal; refused: string[] } | { problem: string } {
  const block = fencedBlocks(answer).findLast(({ language }) => language === "json");
  if (block === undefined)
    return { problem: "The answer contains no JSON block with setup commands, so nothing is proposed." };
  let json: unknown;
  try {
    json = JSON.parse(block.text);
  } catch {
    return { problem: "The JSON block in the answer cannot be read, so nothing is proposed." };
  }
  const parsed = AnsweredSetup.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? "" : ` ${issue.path.join(".")}: ${issue.message}.`;
    return {
      problem: `The setup commands in the answer do not have the requested form, so nothing is proposed.${where}`,
    };
  }
  const { commit, commands, inputs, left_out } = parsed.data;
  const fitting = takeFitting("command", commands, setupBounds.commandsMax, readCommand);
  const paths = takeFitting("input", inputs ?? [], setupBounds.inputsMax, (input) => InputPath.safeParse(input));
  const refused = [...fitting.refused, ...paths.refused];
  if (fitting.taken.length === 0 && commands.length > 0) {
    const which = fitting.refused.map((one) => `- ${one}`).join("\n");
    return { problem: `None of the commands in the answer can be used, so nothing is proposed.\n${which}` };
  }
  const reported = (left_out ?? []).flatMap((one) => (typeof one === "string" ? [storable(one)] : []));
  return {
    proposal: {
      commit: commit ?? null,
      inputs: paths.taken,
      commands: fitting.taken,
      left_out: [...new Set([...refused, ...reported])].slice(0, sentencesMax),
    },
    refused,
  };
}

type Judged<T> = { success: true; data: T } | { success: false; error: z.ZodError };

function readCommand(given: unknown): Judged<ProposedCommand> {
  const read = AnsweredCommand.safeParse(given);
  if (!read.success) return read;
  const { kind, command, outcome, exit_code, duration_ms, note, confidence, evidence } = read.data;
  const data = {
    kind,
    command,
    outcome,
    exit_code: exit_code ?? null,
    duration_ms: duration_ms ?? null,
    note: note == null ? null : storable(note),
    confidence: confidence ?? null,
    evidence: evidence ?? [],
  };
  return { success: true, data };
}

/**
 * Usable entries of a list, without duplicates, at most `max`; and a sentence for each of the others, at most 20 plus one for
 * the rest.
 */
function takeFitting<T>(what: string, given: unknown[], max: number, read: (one: unknown) => Judged<T>) {
  const taken = new Map<string, T>();
  const refused: string[] = [];
  for (const [at, one] of given.entries()) {
    const name = `${what} ${at + 1}${shown(one)}`;
    const judged = read(one);
    if (!judged.success) {
      const [issue] = judged.error.issues;
      refused.push(`${name}: ${[...(issue?.path ?? []), issue?.message].join(" ")}`);
      continue;
    }
    const { data } = judged;
    const key = keyOf(data);
    if (taken.has(key)) refused.push(`${name}: is a duplicate`);
    else if (taken.size === max) refused.push(`${name}: a setup has at most ${max} ${what}s`);
    else taken.set(key, data);
  }
  const more = refused.length - refusedMax;
  return {
    taken: [...taken.values()],
    refused: more > 0 ? [...refused.slice(0, refusedMax), `${more} more ${what}s`] : refused,
  };
}

const refusedMax = 20;

/** Key by which entries that look the same to a person count as the same. */
function keyOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null || !("kind" in entry) || !("command" in entry)) return String(entry);
  return `${entry.kind} ${entry.command}`;
}

/** Text of an entry for people, clipped; empty if it has none. */
function shown(entry: unknown): string {
  const text = typeof entry === "object" && entry !== null && "command" in entry ? entry.command : entry;
  return typeof text !== "string" ? "" : ` (${JSON.stringify(cutText(text, 80, "…"))})`;
}

function storable(text: string): string {
  return cutText(text.replaceAll("\0", ""), noteCharactersMax);
}
