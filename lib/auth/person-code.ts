import { hashSecret, randomBase62 } from "./secret.ts";

/** Creates the code of an invitation or a reset link, 190 random bits. `hash` is stored, `hint` is its last four characters. */
export function mintPersonCode(): { code: string; hash: Uint8Array; hint: string } {
  const code = randomBase62(32);
  return { code, hash: hashSecret(code), hint: code.slice(-4) };
}
