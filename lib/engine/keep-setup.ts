import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { wholeSecrets } from "#lib/entry/known-secrets.ts";
import { noticeEntry } from "#lib/entry/notice.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { LeaseLostError } from "#lib/store/store.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import type { SetupTurn } from "./setup-turn.ts";
import { tidyPrepared } from "./tidy-prepared.ts";

/**
 * If the setup changed files that git does not ignore, nothing is kept: they are not part of a prepared checkout, so later runs
 * would lack them.
 */
const notIgnored = "git does not ignore everything that the setup commands made";

const unexpected = "an unexpected error, which the log of the service has";

/**
 * Keeps what the setup commands have made for later runs, if that is allowed. Returns the entry that says so, or why not; null if
 * there is nothing to report. Throws LeaseLostError; any other error is reported in the entry.
 */
export async function keepSetup(turn: SetupTurn, leftovers: readonly string[]): Promise<NewEntry | null> {
  const { parts, claimed, checkout, layers, signal } = turn;
  const { toKeep } = layers;
  const { repositoryId, id: runId } = claimed.run;
  if (toKeep === null || repositoryId === null) return null;
  if ("why" in toKeep) return notKept(toKeep.why);
  if (leftovers.length > 0) return notKept(notIgnored);
  const { key, tree, begunAt } = toKeep;
  const name = { repositoryId, key };
  const { bytesMax, usableMs } = parts.prepared;
  const startedAt = performance.now();
  await parts.store.prepared.begin(claimed.lease, name);
  try {
    const made = { name, tree, begunAt, bytesMax, secrets: wholeSecrets(Object.values(turn.setup.variables)) };
    const keeping = await parts.workspace.prepared.keep({ runId, checkout }, made, signal);
    if ("why" in keeping) {
      await parts.store.prepared.finish(claimed.lease, name, { error: keeping.why });
      return notKept(keeping.why);
    }
    const { bytes, files } = keeping.kept;
    await parts.store.prepared.finish(claimed.lease, name, { bytes, files, usableMs });
    await tidyPrepared(parts);
    const what = `${formatBytes(bytes)} in ${files.toLocaleString("en-US")} ${files === 1 ? "file" : "files"}`;
    const time = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
    return noticeEntry(
      "Setup cache saved",
      `Saved as setup cache ${key.slice(0, 12)}: ${what}, ${time}. Runs with the same lockfiles start from it.`,
    );
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    const why = signal.aborted ? "the run was stopped meanwhile" : reasonOf(error);
    if (why === unexpected) parts.logger.error({ run: runId, err: error }, "a setup cache could not be saved");
    await parts.store.prepared.finish(claimed.lease, name, { error: why });
    return signal.aborted ? null : notKept(why);
  }
}

/** Other messages may contain paths of the data folder. */
function reasonOf(error: unknown): string {
  return error instanceof WorkspaceError ? error.message : unexpected;
}

function notKept(why: string): NewEntry {
  return noticeEntry(
    "Setup cache not saved",
    `The setup cache was not saved, so later runs will run the setup commands again: ${why.replace(/\.$/, "")}.`,
  );
}
