import type { EngineLogger, Workspace } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

const everyMs = 15 * 60_000;

/** Packs what turns have added to mirrors, so that no turn has to. */
export class TidyMirrors extends PeriodicTask {
  readonly #parts: { workspace: Pick<Workspace, "tidyMirrors">; logger: EngineLogger };

  constructor(parts: { workspace: Pick<Workspace, "tidyMirrors">; logger: EngineLogger }) {
    super({ everyMs, logger: parts.logger, trouble: "mirrors could not be tidied up" });
    this.#parts = parts;
  }

  protected async work(): Promise<void> {
    const { workspace, logger } = this.#parts;
    await workspace.tidyMirrors(this.signal, (mirror, error) =>
      logger.error({ mirror, err: error }, "a mirror could not be tidied up; trying again"),
    );
  }
}
