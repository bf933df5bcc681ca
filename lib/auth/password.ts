import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { ApiError } from "#lib/contract/error.ts";
import { Turns } from "#lib/turns.ts";

/** Cost of a hash: memory is 128 * N * r bytes, time grows with N * r * p. */
export type PasswordCost = { N: number; r: number; p: number };

/** 32 MiB and three passes: one of the settings of https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html. */
export const passwordCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;
const form = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/;

/** Hashes computed at once, in threads that file access uses too; further ones wait. */
const atOnceMax = 2;
const waitingMax = 100;

/** Hashes and checks passwords, off the event loop. Both throw 503 if too many are waiting. */
export type Passwords = {
  /** A password as stored: `scrypt$N$r$p$salt$key`, salt and key in base64url. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash it does the same work and returns false, so that the response time
   * does not reveal whether the account exists.
   */
  verify(password: string, kept: string | null): Promise<boolean>;
};

/**
 * {@link Passwords} whose new hashes have this cost; older ones keep theirs. One per process, because it counts the concurrent
 * work.
 */
export function passwordsAt(cost: PasswordCost): Passwords {
  const turns = new Turns(atOnceMax, { max: waitingMax, refuse: tooBusy });
  const derive = (password: string, salt: Buffer, its: PasswordCost) => turns.take(() => scryptOf(password, salt, its));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const key = await derive(password, salt, cost);
      return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
    },
    async verify(password, kept) {
      const parts = kept === null ? null : form.exec(kept);
      if (parts === null) {
        await derive(password, Buffer.alloc(16), cost);
        return false;
      }
      const [, N, r, p, salt = "", key = ""] = parts;
      const its = { N: Number(N), r: Number(r), p: Number(p) };
      return timingSafeEqual(
        await derive(password, Buffer.from(salt, "base64url"), its),
        Buffer.from(key, "base64url"),
      );
    },
  };
}

function scryptOf(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 160 * cost.N * cost.r };
  return new Promise((resolve, reject) => {
    // The same characters can be typed as different code points (https://www.rfc-editor.org/rfc/rfc8265#section-4).
    scrypt(password.normalize("NFKC"), salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}

function tooBusy(): ApiError {
  return new ApiError("unavailable", "Too many people are signing in right now. Try again in a few seconds.", {
    headers: { "retry-after": "3" },
  });
}
