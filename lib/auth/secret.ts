import { hash, randomBytes } from "node:crypto";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** SHA-256 of a secret, the only form the store holds. Secrets are random and long, so no salt is needed. */
export function hashSecret(secret: string): Uint8Array {
  return hash("sha256", secret, "buffer");
}

/** Random characters from 0-9, A-Z, a-z, uniformly distributed. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: higher values would favor the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

/** An integer in base 62, padded with zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = `${base62[rest % 62]}${text}`;
  return text;
}
