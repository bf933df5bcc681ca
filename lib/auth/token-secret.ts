import { crc32 } from "node:zlib";
import { hashSecret, randomBase62, toBase62 } from "./secret.ts";

const prefix = "errand_";
const randomLength = 30;
const checkLength = 6;
const form = /^errand_[0-9A-Za-z]{36}$/;

/**
 * Creates a token: `errand_`, 30 random base62 characters, and 6 of a CRC32 of the preceding text. `secret` is shown once,
 * `hash` is stored, `hint` is its last four characters.
 */
export function mintToken(): { secret: string; hash: Uint8Array; hint: string } {
  const body = prefix + randomBase62(randomLength);
  const secret = body + toBase62(crc32(body), checkLength);
  return { secret, hash: hashSecret(secret), hint: secret.slice(-4) };
}

/** True for text of the right form with the right checksum: a mistyped or truncated token never costs a lookup. */
export function isTokenSecret(text: string): boolean {
  if (!form.test(text)) return false;
  const body = text.slice(0, -checkLength);
  return text.slice(-checkLength) === toBase62(crc32(body), checkLength);
}
