import { hashSecret, randomBase62 } from "./secret.ts";

/** 190 random bits. */
const length = 32;

/** Creates the secret of a share link. `secret` is shown once, `hash` is stored, `hint` is its last four characters. */
export function mintShare(): { secret: string; hash: Uint8Array; hint: string } {
  const secret = randomBase62(length);
  return { secret, hash: hashSecret(secret), hint: secret.slice(-4) };
}
