import { ApiError } from "#lib/contract/error.ts";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import { operations } from "#lib/contract/operations.ts";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import type { RunLimits } from "#lib/contract/runs/run-limits.ts";
import { engineSeenMs } from "#lib/store/runs/queue-store.ts";
import { Tagged } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";
import { troubleWords } from "./store-trouble.ts";

/** The API's description with the configured limits, built once for each address of the installation. */
export function describeApi(rates: RateSettings, runLimits: RunLimits): (address: string) => Tagged {
  const built = new Map<string, Tagged>();
  return (address) => {
    const known = built.get(address) ?? new Tagged(buildOpenapi(rates, runLimits, operations, address));
    built.set(address, known);
    return known;
  };
}

/** The API's description. */
export function getOpenapi({ describe, publicUrl }: Pick<ServiceContext, "describe" | "publicUrl">): Tagged {
  return describe(publicUrl);
}

/** Liveness. */
export function getHealth(): { status: "ok" } {
  return { status: "ok" };
}

/** Readiness: the store responds and can be written, and engines are at work, with their number. 503 if not. */
export async function getReadiness({ store }: ServiceContext): Promise<{
  status: "ok";
  engines: number;
  problems: string[];
}> {
  const [engines, trouble] = await askStore(store).catch((cause) => {
    throw new ApiError("unavailable", "The store does not answer.", { cause });
  });
  if (trouble !== null) throw new ApiError("unavailable", troubleWords[trouble]);
  if (engines === 0) throw new ApiError("unavailable", "No engine is running: runs are queued but not started.");
  // Anybody can ask, so what is in the file is not repeated here.
  const isFileInvalid = (await store.agents.findFileProblem()) !== null;
  return { status: "ok", engines, problems: isFileInvalid ? [fileProblem] : [] };
}

const fileProblem =
  "agents.json is invalid, and its last valid version applies. The log, `errand doctor` and Settings → Agents say why.";

/** An engine without a heartbeat may be one that finds no disk space to write it. */
async function askStore({ queue, findTrouble }: ServiceContext["store"]) {
  const engines = await queue.countEngines(engineSeenMs);
  return [engines, await findTrouble(engines === 0)] as const;
}
