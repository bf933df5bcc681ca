import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { mirrorPath } from "./mirror.ts";

/** Paths of a run's checkout and mirror. All absolute. */
export interface CheckoutPlace {
  runId: string;
  /** The folder of all checkouts. */
  parent: string;
  /** The run's checkout, `<dataDir>/checkouts/<runId>`. */
  path: string;
  /** The bare repository with the run's branch. */
  mirror: string;
  /** `errand/run-<id>`. */
  branch: string;
}

/**
 * A run without a repository has its own mirror, `run-<id>.git`, which keeps its work like any other's. Throws RangeError for a
 * run id that is not 1 to 60 letters, digits, "_" or "-".
 */
export function checkoutPlace(dataDir: string, runId: string | number, repoId: string | number | null): CheckoutPlace {
  const id = String(runId);
  if (!/^[\w-]{1,60}$/.test(id)) throw new RangeError(`"${id}" is not a run id.`);
  if (repoId !== null && String(repoId).startsWith("run-")) throw new RangeError(`"${repoId}" is not a repository id.`);
  const parent = resolve(dataDir, "checkouts");
  const mirror = mirrorPath(dataDir, repoId ?? `run-${id}`);
  return { runId: id, parent, path: join(parent, id), mirror, branch: `errand/run-${id}` };
}

/** The place with every symbolic link of the checkout's parent resolved; the parent must exist. */
export async function resolvePlace(place: CheckoutPlace): Promise<CheckoutPlace> {
  const parent = await realpath(place.parent);
  return { ...place, parent, path: join(parent, place.runId) };
}
