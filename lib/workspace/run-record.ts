import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Submodule as SubmoduleOfRun } from "./submodules.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * Where a run began. Written before its checkout is created, and again with the submodules of each checkout made for it; stored in the
 * mirror, out of the agent's reach.
 */
export interface RunRecord {
  /** The commit that the run's branch began from; null when there was none. */
  baseCommit: string | null;
  /** The branch that commit was on; null in an empty repository and for a detached HEAD. */
  baseBranch: string | null;
  /** Submodules whose files the service put into the checkout, or tried to; left out if there are none. */
  submodules?: SubmoduleOfRun[] | undefined;
}

const Submodule = z.object({
  path: z.string(),
  commit: z.string(),
  mirror: z.string().nullable(),
  problem: z.string().nullable(),
});
const Record: z.ZodType<RunRecord> = z.object({
  baseCommit: z.string().nullable(),
  baseBranch: z.string().nullable(),
  submodules: z.array(Submodule).optional(),
});

/** The second local branch of a run's checkout. */
export function baseOf(record: RunRecord): { branch: string; commit: string } | null {
  const { baseBranch, baseCommit } = record;
  return baseBranch === null || baseCommit === null ? null : { branch: baseBranch, commit: baseCommit };
}

/**
 * The ref that keeps a commit which a run's branch has left behind, for as long as the run exists: an agent may rewrite the commits of
 * earlier turns (amend, rebase, reset), and git would delete these in time.
 */
export function rewrittenRef(runId: string | number, commit: string): string {
  return `refs/errand/rewritten/run-${runId}/${commit}`;
}

/** The record of a run in its mirror, null when the run never had a checkout. Throws `checkout_damaged` if unreadable. */
export async function findRunRecord(mirror: string, runId: string): Promise<RunRecord | null> {
  const path = recordPath(mirror, runId);
  try {
    return Record.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw new WorkspaceError("checkout_damaged", `The record of run ${runId} cannot be read.`, { cause });
  }
}

/** Writes the record atomically. */
export async function writeRunRecord(mirror: string, runId: string, record: RunRecord): Promise<void> {
  const path = recordPath(mirror, runId);
  const made = `${path}.${randomUUID()}`;
  await mkdir(join(mirror, "errand"), { recursive: true });
  await writeFile(made, `${JSON.stringify(record)}\n`, { flush: true });
  await rename(made, path);
}

function recordPath(mirror: string, runId: string): string {
  return join(mirror, "errand", `run-${runId}.json`);
}
