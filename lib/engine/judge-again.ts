import { setImmediate as turn } from "node:timers/promises";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** Judges stored entries again after an upgrade with another rule for failures, a megabyte at a time. */
export class JudgeAgain extends PeriodicTask {
  readonly #store: Pick<Store, "judgeAgain">;

  constructor(store: Pick<Store, "judgeAgain">, logger: EngineLogger) {
    super({ everyMs: 10_000, logger, trouble: "stored entries could not be judged again; trying again" });
    this.#store = store;
  }

  protected async work(): Promise<void> {
    while (!this.signal.aborted && (await this.#store.judgeAgain())) await turn();
  }
}
