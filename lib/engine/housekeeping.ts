import { setImmediate as turn } from "node:timers/promises";
import type { Removal } from "#lib/store/removals.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger, Workspace } from "./engine-parts.ts";

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
export class Housekeeping {
  readonly #parts: Parts & { lookMs: number; againMs: number };
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  /** True at first: an earlier engine may have had no time to return its disk space. */
  #hasSpace = true;
  #hasFailed = false;

  constructor({
    lookMs = lookMsDefault,
    againMs = againMsDefault,
    ...parts
  }: Parts & { lookMs?: number; againMs?: number }) {
    this.#parts = { ...parts, lookMs, againMs };
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    const { lookMs, againMs } = this.#parts;
    const begin = () => {
      this.#looking = this.look().finally(() => this.start());
    };
    this.#timer = setTimeout(begin, this.#hasFailed ? againMs : lookMs);
  }

  /** Resolves when nothing is in progress; unfinished removals go on after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  /** Performs every removal that is due. Never throws. */
  async look(): Promise<void> {
    const { store, logger } = this.#parts;
    this.#hasFailed = false;
    try {
      for (let after = 0; !this.#stop.signal.aborted; ) {
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
      if (!this.#stop.signal.aborted) logger.error({ err: error }, "deleted runs could not be removed; trying again");
    }
  }

  /** True if something was removed. */
  async #remove(removals: readonly Removal[]): Promise<boolean> {
    const { store, workspace, isAtWork, logger } = this.#parts;
    const done: Removal[] = [];
    for (const removal of removals) {
      if (this.#stop.signal.aborted) break;
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
        await workspace.pruneMirror(repositoryId, this.#stop.signal);
      } catch (error) {
        unpruned.add(repositoryId);
        this.#hasFailed = true;
        if (this.#stop.signal.aborted) continue;
        logger.error({ repository: repositoryId, err: error }, "a mirror could not be pruned; trying again");
      }
    }
    const finished = done.filter(({ repositoryId }) => repositoryId === null || !unpruned.has(repositoryId));
    await store.removals.finish(finished.map(({ id }) => id));
    return done.length > 0;
  }
}
