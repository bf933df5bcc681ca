import { hash } from "node:crypto";
import { Lru } from "#lib/lru.ts";

/** A token of an installation of a GitHub App. `endsAt` in milliseconds since 1970; `rights` by GitHub's names. */
export type InstallationToken = { token: string; endsAt: number; rights: Record<string, string> };

/** How many installations are remembered. */
const countMax = 1000;
/** How long a token is used: GitHub's live an hour, but a revocation or a change of rights is not announced. */
const lifeMs = 600_000;

/** Tokens of installations, reused by later calls, because GitHub limits how many are created. */
export class InstallationTokens {
  readonly #kept = new Lru<string, InstallationToken & { keptAt: number }>({ count: countMax });

  /** A token that can still be used; null if there is none. */
  find(api: string, app: { installationId: number; privateKey: string }, nowMs: number): InstallationToken | null {
    const kept = this.#kept.get(keyOf(api, app));
    // After a clock was set back, nobody knows how old it is.
    if (kept === undefined || nowMs < kept.keptAt) return null;
    return nowMs - kept.keptAt < lifeMs && nowMs < kept.endsAt - 60_000 ? kept : null;
  }

  keep(api: string, app: { installationId: number; privateKey: string }, made: InstallationToken, nowMs: number): void {
    this.#kept.set(keyOf(api, app), { ...made, keptAt: nowMs });
  }
}

/** A different key for the same installation gives no access to its token. */
function keyOf(api: string, { installationId, privateKey }: { installationId: number; privateKey: string }): string {
  return `${api} ${installationId} ${hash("sha256", privateKey, "hex")}`;
}
