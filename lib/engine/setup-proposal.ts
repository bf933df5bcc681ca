import { z } from "zod";
import type { TurnEnd } from "#lib/agents/agent.ts";
import { CommandText, InputPath, type Proposal, setupBounds, TriedOutcome } from "#lib/contract/setup.ts";
import { Confidence, Evidence, SetupKind } from "#lib/contract/setup-command.ts";
import { Text } from "#lib/contract/text.ts";
import type { Claimed, Store } from "#lib/store/store.ts";
import { noticeEntry } from "./notice.ts";

/** The block of JSON in the answer of a generate run: nothing that could not be accepted as it is. What an agent leaves out counts as not known. */
const AnsweredSetup = z.object({
  commit: Text(64).nullish(),
  commands: z
    .array(
      z.object({
        kind: SetupKind,
        command: CommandText,
        outcome: TriedOutcome.default("not_tried"),
        exit_code: z.int().nullish(),
        duration_ms: z.number().min(0).nullish(),
        note: Text(2000).nullish(),
        confidence: Confidence.nullish(),
        evidence: z
          .array(Evidence.extend({ path: Text(1024), line: z.int().min(1) }))
          .max(20)
          .nullish(),
      }),
    )
    .max(setupBounds.commandsMax),
  inputs: z.array(InputPath).max(setupBounds.inputsMax).nullish(),
});

/**
 * Keeps what a generate run proposes at the end of its turn. Where its answer cannot be read, the end gets a notice that
 * says why. Other runs end as they are. Throws LeaseLostError.
 */
export async function keepProposal(store: Store, { run, lease }: Claimed, end: TurnEnd): Promise<TurnEnd> {
  if (run.sourceType !== "SETUP_COMMANDS" || run.repositoryId === null || end.status !== "completed") return end;
  const read = readProposal(end.result ?? "");
  if ("proposal" in read) {
    await store.setups.keepProposal(lease, run.repositoryId, read.proposal);
    return end;
  }
  return { ...end, entries: [noticeEntry("No proposal", read.problem), ...end.entries] };
}

/** The proposal in an answer: its last block of code that is JSON. */
export function readProposal(answer: string): { proposal: Proposal } | { problem: string } {
  const block = lastJsonBlock(answer);
  if (block === null)
    return { problem: "The answer holds no block of JSON with setup commands, so nothing is proposed." };
  let json: unknown;
  try {
    json = JSON.parse(block);
  } catch {
    return { problem: "The block of JSON in the answer cannot be read, so nothing is proposed." };
  }
  const parsed = AnsweredSetup.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? "" : ` ${issue.path.join(".")}: ${issue.message}.`;
    return {
      problem: `The setup commands in the answer are not of the form that was asked for, so nothing is proposed.${where}`,
    };
  }
  const { commit, commands, inputs } = parsed.data;
  return {
    proposal: {
      commit: commit ?? null,
      inputs: inputs ?? [],
      commands: commands.map((command) => ({
        kind: command.kind,
        command: command.command,
        outcome: command.outcome,
        exit_code: command.exit_code ?? null,
        duration_ms: command.duration_ms ?? null,
        note: command.note ?? null,
        confidence: command.confidence ?? null,
        evidence: command.evidence ?? [],
      })),
    },
  };
}

/** Blocks are read from the start: what looks like a fence inside of one is its text. */
function lastJsonBlock(answer: string): string | null {
  let last: string | null = null;
  let open: { fence: string; isJson: boolean; lines: string[] } | null = null;
  for (const line of answer.split(/\r?\n/)) {
    const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (open === null) {
      if (fence !== "") open = { fence, isJson: info.toLowerCase() === "json", lines: [] };
    } else if (fence.startsWith(open.fence) && line.trim() === fence) {
      if (open.isJson) last = open.lines.join("\n");
      open = null;
    } else open.lines.push(line);
  }
  return last;
}
