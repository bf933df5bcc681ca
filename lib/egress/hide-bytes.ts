import { Transform } from "node:stream";

/**
 * Passes bytes on with a secret in them overwritten by as many asterisks, even if it is split over chunks. Only bytes that may
 * begin the secret wait for the next chunk.
 */
export function hideBytes(secret: string): Transform {
  const secretBytes = Buffer.from(secret);
  const asterisks = Buffer.alloc(secretBytes.length, "*");
  let held = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = Buffer.concat([held, chunk]);
      for (let at = bytes.indexOf(secretBytes); at !== -1; at = bytes.indexOf(secretBytes, at + secretBytes.length)) {
        asterisks.copy(bytes, at);
      }
      const end = bytes.length - beginningAtEnd(bytes, secretBytes);
      held = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
  });
}

/** Length of the longest end of `bytes` that is a beginning of the secret. */
function beginningAtEnd(bytes: Buffer, secretBytes: Buffer): number {
  for (let count = Math.min(bytes.length, secretBytes.length - 1); count > 0; count--) {
    if (bytes.subarray(bytes.length - count).equals(secretBytes.subarray(0, count))) return count;
  }
  return 0;
}
