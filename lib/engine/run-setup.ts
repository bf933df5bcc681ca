import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SetupCommands } from "#lib/contract/repositories/setup.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import { setupAgent } from "#lib/contract/runs/agent-ids.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import { GitError } from "#lib/workspace/git.ts";
import { AttemptError } from "./attempt-error.ts";
import { keepSetup } from "./keep-setup.ts";
import { findSetupBrief } from "./setup-brief.ts";
import { runSetupCommand } from "./setup-command-run.ts";
import type { SetupTurn } from "./setup-turn.ts";
import type { TurnLayers } from "./turn-layers.ts";

/** A required setup failed, or a setup removed the checkout: the turn ends, and the next one would end the same way. */
export class SetupFailedError extends AttemptError {}

type Step = { kind: SetupKind; command: string };
type Failure = Step & { failure: string; output: string; notRun: Step[] };

const removed =
  "The setup commands removed the checkout or its .git folder, so the agent did not get the prompt. Remove the command that does this from the repository's setup commands.";
const tailLines = 40;
const shownPathsMax = 10;

/**
 * Prepares the checkout for a turn with the commands accepted for its repository: install and build if this version has not
 * prepared it yet, otherwise maintenance. Each is an ACTION of the run. A run that begins with what an earlier one's commands made
 * only builds, and not even that where all its files are the same. Returns notes for the agent besides the prompt, or null. Throws
 * {@link SetupFailedError} if a required setup fails or any setup removes the checkout, and LeaseLostError.
 */
export async function prepareTurn(turn: SetupTurn): Promise<string | null> {
  const { run } = turn.claimed;
  if (run.repositoryId === null || run.agent === setupAgent) return null;
  if (run.sourceType === "SETUP_COMMANDS") return findSetupBrief(turn.parts.workspace, turn.checkout, turn.signal);
  const setup = await turn.parts.store.setups.findAccepted(run.repositoryId);
  if (setup === null) return null;
  const { version, commands } = setup;
  const { begun } = turn.layers;
  const isPrepared = (await turn.parts.workspace.preparedVersion(turn.checkout)) === version;
  const steps = stepsOf(
    commands,
    begun !== null ? kindsAfter(begun) : isPrepared ? ["maintenance"] : ["install", "build"],
  );
  const checks = isPrepared && begun === null ? [] : checksOf(commands);
  if (begun !== null) await noteBegun(turn, begun, version);
  if (run.permissionMode === "read-only" && steps.length > 0) {
    await note(turn, "Setup not run", "This run is read-only, so the setup commands of the repository were not run.");
    return noteOf(["The repository's setup commands were not run, because this run is read-only.", ...checks]);
  }
  const { missing } = turn.setup;
  if (steps.length > 0 && missing.length > 0) {
    await note(
      turn,
      "Variables not set",
      `The setup commands need variables for which no key is saved: ${missing.join(", ")}. An admin can save them in Settings → Isolation.`,
    );
  }
  const failed = await runSteps(turn, steps, commands.timeout_s * 1000);
  if (turn.signal.aborted) return null;
  if (steps.length > 0) {
    const leftovers = await findLeftovers(turn);
    const worked = failed === null && leftovers !== null;
    await turn.parts.store.setups.noteUse(turn.claimed.lease, run.repositoryId, version, worked);
    if (leftovers === null) throw new SetupFailedError("setup_failed", removed);
    await noteLeftovers(turn, leftovers);
    const kept = worked && !isPrepared ? await keepSetup(turn, leftovers) : null;
    if (kept !== null) await turn.parts.store.queue.append(turn.claimed.lease, [kept]);
    if (turn.signal.aborted) return null;
  }
  if (failed !== null) {
    const what = `The setup command \`${failed.command}\` ${failed.failure}.`;
    if (commands.required) {
      throw new SetupFailedError(
        "setup_failed",
        `${what} The repository is set to stop the run if a setup command fails, so the agent did not get the prompt.`,
      );
    }
    await note(turn, "Setup failed", `${what} The agent continues, and its prompt says what failed.`);
    return noteOf([...failureLines(failed), ...checks]);
  }
  if (!isPrepared) await turn.parts.workspace.markPrepared(turn.checkout, version);
  const ran =
    steps.length === 0 ? [] : [`Errand has run the repository's setup commands: ${listed(steps)}. All of them worked.`];
  return noteOf([...(begun === null ? [] : [begunLine(commands)]), ...ran, ...checks]);
}

type Begun = NonNullable<TurnLayers["begun"]>;

/** The build depends on files that are not part of the key. */
function kindsAfter({ isSameTree }: Begun): SetupKind[] {
  return isSameTree ? [] : ["build"];
}

async function noteBegun(turn: SetupTurn, { key, ms }: Begun, version: number): Promise<void> {
  const { run, lease } = turn.claimed;
  const text = `Reused setup cache ${key.slice(0, 12)}, ${(ms / 1000).toFixed(2)} s.`;
  await note(turn, "Setup cache reused", text);
  if (run.repositoryId !== null) await turn.parts.store.setups.noteUse(lease, run.repositoryId, version, true);
}

function begunLine({ install }: SetupCommands): string {
  const what = install.length === 0 ? "the repository's setup commands" : listed(stepsOf({ install }, ["install"]));
  return `This checkout contains what ${what} made in an earlier run. These folders are mounts: to remove one, empty it instead of deleting it.`;
}

function stepsOf(commands: Partial<Record<SetupKind, string[]>>, kinds: SetupKind[]): Step[] {
  return kinds.flatMap((kind) => (commands[kind] ?? []).map((command) => ({ kind, command })));
}

/** Runs steps in order until one fails; null if all worked or the run was stopped. */
async function runSteps(turn: SetupTurn, steps: Step[], timeoutMs: number): Promise<Failure | null> {
  const { parts, claimed, progress, signal } = turn;
  for (const [at, step] of steps.entries()) {
    if (signal.aborted) return null;
    const end = await runSetupCommand({
      ...step,
      start: () => turn.enclosure.startShell(step.command),
      timeoutMs,
      signal,
      onProgress: (shown) => progress.show(() => shown),
    });
    progress.show(null);
    await parts.store.queue.append(claimed.lease, [end.entry]);
    if (end.stopped) return null;
    if (end.failure !== null) return { ...step, failure: end.failure, output: end.output, notRun: steps.slice(at + 1) };
  }
  return null;
}

/** Files that differ from the last commit; null if git can no longer tell because the setup removed the checkout. */
async function findLeftovers({ parts, checkout, signal }: SetupTurn): Promise<string[] | null> {
  // Without its .git, git would use a repository around the checkout.
  if (!existsSync(join(checkout.path, ".git"))) return null;
  return parts.workspace.uncommittedPaths(checkout, signal).catch((error: unknown) => {
    if (signal.aborted || !(error instanceof GitError)) throw error;
    return null;
  });
}

/** Reports files written by the setup that git does not ignore: they become part of the run's commit. */
async function noteLeftovers(turn: SetupTurn, paths: string[]): Promise<void> {
  if (paths.length === 0) return;
  const more = paths.length - shownPathsMax;
  const shown = `${paths.slice(0, shownPathsMax).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const text = `After the setup these files differ from the last commit, and git does not ignore them: ${shown}. They will be part of this run's changes.`;
  await note(turn, "Setup changed files", text);
}

async function note(turn: SetupTurn, notice: string, text: string): Promise<void> {
  await turn.parts.store.queue.append(turn.claimed.lease, [noticeEntry(notice, text)]);
}

function failureLines({ command, failure, output, notRun }: Failure): string[] {
  const tail = output
    .trimEnd()
    .split("\n")
    .slice(-tailLines)
    .map((line) => line.slice(0, 500));
  return [
    `The repository's setup failed before this message: the command ${quoted(command)} ${failure}.`,
    ...(notRun.length === 0 ? [] : [`Not run after it: ${listed(notRun)}.`]),
    ...(output.trim() === "" ? [] : ["The end of its output:", ...tail.map((line) => `> ${line}`)]),
  ];
}

/** How to test and lint the repository: not run automatically, but an agent may. */
function checksOf(commands: SetupCommands): string[] {
  return (["test", "lint"] as const).flatMap((kind) => {
    const steps = stepsOf(commands, [kind]);
    return steps.length === 0
      ? []
      : [`To ${kind === "test" ? "test" : "lint"} this repository, run: ${listed(steps)}.`];
  });
}

function listed(steps: Step[]): string {
  return steps.map(({ command }) => quoted(command)).join(", ");
}

function quoted(command: string): string {
  return `\`${command.replace(/\s*\n\s*/g, "; ")}\``;
}

/**
 * Text for the agent, without code fences: an agent that runs the fenced blocks of a prompt must not run a command's output.
 */
function noteOf(lines: string[]): string | null {
  if (lines.length === 0) return null;
  const text = ["A note from Errand, the service that runs you, about this checkout:", ...lines].join("\n");
  return text.replace(/`{3,}/g, "'''").replace(/~{3,}/g, "'''");
}
