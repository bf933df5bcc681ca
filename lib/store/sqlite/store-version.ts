import { StoreError } from "#lib/store/store-error.ts";
import { storeVersion } from "#lib/store/tables.ts";

/** Marks a file as a store of Errand: "Errd". */
export const applicationId = 0x45727264;
const oldestVersion = 59;

/** Throws StoreError, which says what to do, if a store of this version can neither be used nor, for an upgrade, upgraded. */
export function refuseVersion(file: string, version: number, forUpgrade = false): void {
  let problem = "";
  if (version > storeVersion) problem = `but this Errand supports only up to ${storeVersion}: use a newer Errand`;
  else if (version < oldestVersion) problem = `but only those from ${oldestVersion} on can be upgraded`;
  else if (version < storeVersion && !forUpgrade) {
    problem = `and this Errand needs ${storeVersion}: make a backup, then run \`npm run --silent errand -- upgrade-store\``;
  }
  if (problem !== "") throw new StoreError(`This store has version ${version}, ${problem} (${file})`);
}
