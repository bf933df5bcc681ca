import { setImmediate as turn } from "node:timers/promises";
import type { Removal } from "#lib/store/storage/removals.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger, Workspace } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

const lookMsDefault = 1000;
/** Pause after a failure: pruning a large damaged mirror costs minutes each time. */
const againMsDefault = 60_000;
/** Most removals done before their repositories' mirrors are pruned. */
const atOnce = 200;
/** Entries deleted in one transaction. */
const entriesAtOnce = 500;

type Parts = {
  store: Pick<Store, "removals" | "giveBack">;
  workspace: Pick<Workspace, "removeRun" | "removeRepository" | "pruneMirror">;
  /** True while a turn of the run, or what follows it, is in progress. */
  isAtWork: (runId: number) => boolean;
  logger: EngineLogger;
};

/**
 * Removes what is left of deleted runs and repositories: entries, checkouts, branches. Each removal is a row until all of it is
 * done, so it survives a crash; a failed removal is tried again.
 */
export class Housekeeping extends PeriodicTask {
  readonly #parts: Parts & { lookMs: number; againMs: number };
  /** True at first: an earlier engine may have had no time to return its disk space. */
  #hasSpace = true;
  #hasFailed = false;

  constructor({
    lookMs = lookMsDefault,
    againMs = againMsDefault,
    ...parts
  }: Parts & { lookMs?: number; againMs?: number }) {
    super({ everyMs: lookMs, logger: parts.logger, trouble: "deleted runs could not be removed; trying again" });
    this.#parts = { ...parts, lookMs, againMs };
  }

  protected override waitMs(): number {
    return this.#hasFailed ? this.#parts.againMs : this.#parts.lookMs;
  }

  /** Performs every removal that is due. */
  protected async work(): Promise<void> {
    const { store } = this.#parts;
    this.#hasFailed = false;
    try {
      for (let after = 0; !this.signal.aborted; ) {
        const removals = await store.removals.list(after, atOnce);
        const last = removals.at(-1);
        if (last === undefined) break;
        after = last.id;
        if (await this.#remove(removals)) this.#hasSpace = true;
      }
      // Some space in each round; none while a reader still holds an older snapshot.
      if (this.#hasSpace) this.#hasSpace = !(await store.giveBack());
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** True if something was removed. */
  async #remove(removals: readonly Removal[]): Promise<boolean> {
    const { store, workspace, isAtWork, logger } = this.#parts;
    const done: Removal[] = [];
    for (const removal of removals) {
      if (this.signal.aborted) break;
      try {
        if (removal.kind === "repository") await workspace.removeRepository(removal.repositoryId);
        else if (isAtWork(removal.runId)) continue;
        else {
          while (await store.removals.removeEntries(removal.runId, entriesAtOnce)) await turn();
          await workspace.removeRun(removal);
        }
        done.push(removal);
      } catch (error) {
        this.#hasFailed = true;
        const { kind, id: _, ...which } = removal;
        logger.error({ ...which, err: error }, `a deleted ${kind} could not be removed; trying again`);
      }
    }
    const unpruned = new Set<number>();
    const pruned = done.flatMap((removal) => (removal.kind === "run" ? (removal.repositoryId ?? []) : []));
    for (const repositoryId of new Set(pruned)) {
      try {
        await workspace.pruneMirror(repositoryId, this.signal);
      } catch (error) {
        unpruned.add(repositoryId);
        this.#hasFailed = true;
        if (this.signal.aborted) continue;
        logger.error({ repository: repositoryId, err: error }, "a mirror could not be pruned; trying again");
      }
    }
    const finished = done.filter(({ repositoryId }) => repositoryId === null || !unpruned.has(repositoryId));
    await store.removals.finish(finished.map(({ id }) => id));
    return done.length > 0;
  }
}
