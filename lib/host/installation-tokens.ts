import { hash } from "node:crypto";
import { Lru } from "#lib/lru.ts";

/** A token of an installation of a GitHub App. `endsAt` in milliseconds since 1970; `rights` by GitHub's names. */
export type InstallationToken = { token: string; endsAt: number; rights: Record<string, string> };

/** An installation, and the key that gives access to its tokens. */
export type Installation = { api: string; installationId: number; privateKey: string };

/** How many installations are remembered. */
const countMax = 1000;
/** How long a token is used: GitHub's live an hour, but a change of rights is not announced. */
const lifeMs = 600_000;

/** Tokens of installations, reused by later calls, because GitHub limits how many are created. */
export class InstallationTokens {
  readonly #kept = new Lru<string, InstallationToken & { keptAt: number }>({ count: countMax });
  readonly #making = new Map<string, Promise<InstallationToken>>();
  readonly #now: () => number;

  /** `now` in milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * A token that can still be used, and is not the one that the host has `refused`; else a new one, which all who ask meanwhile
   * share.
   */
  async get(
    of: Installation,
    make: () => Promise<InstallationToken>,
    refused: string | null = null,
  ): Promise<InstallationToken> {
    const key = keyOf(of);
    const nowMs = this.#now();
    const kept = this.#kept.get(key);
    // After a clock was set back, nobody knows how old it is.
    const isYoung = kept !== undefined && nowMs >= kept.keptAt && nowMs - kept.keptAt < lifeMs;
    if (isYoung && nowMs < kept.endsAt - 60_000 && kept.token !== refused) return kept;
    const known = this.#making.get(key);
    if (known !== undefined) return await known;
    const made = make()
      .then((token) => {
        this.#kept.set(key, { ...token, keptAt: this.#now() });
        return token;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return await made;
  }
}

/** A different key for the same installation gives no access to its token. */
function keyOf({ api, installationId, privateKey }: Installation): string {
  return `${api} ${installationId} ${hash("sha256", privateKey, "hex")}`;
}
