import { hashSecret, randomBase62 } from "./secret.ts";

/** Creates the code of a sign-in link: 32 base62 characters. `hash` is stored. */
export function mintSignInCode(): { code: string; hash: Uint8Array } {
  const code = randomBase62(32);
  return { code, hash: hashSecret(code) };
}
