import { Transform } from "node:stream";
import { wholeSecrets } from "#lib/entry/known-secrets.ts";

/** A secret as an answer may repeat it: as it is, encoded, decoded. */
export function formsToHide(secret: string): string[] {
  return [secret, ...wholeSecrets([secret])];
}

/** A text with each of these overwritten by as many asterisks. */
export function hideText(text: string, forms: readonly string[]): string {
  return forms.reduce((shown, form) => shown.replaceAll(form, "*".repeat(form.length)), text);
}

/** {@link hideText} of bytes, even if one is split over chunks. Only bytes that may begin one wait for the next chunk. */
export function hideBytes(forms: readonly string[]): Transform {
  const hidden = forms.map((form) => Buffer.from(form));
  let held = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = Buffer.concat([held, chunk]);
      for (const form of hidden) {
        for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, at))
          bytes.fill("*", at, at + form.length);
      }
      const end = Math.min(...hidden.map((form) => beginningIn(bytes, form)));
      held = bytes.subarray(end);
      done(null, bytes.subarray(0, end));
    },
    flush(done) {
      done(null, held);
    },
  });
}

/** Where the longest end of `bytes` begins that is a beginning of the form; their length if none is. */
function beginningIn(bytes: Buffer, form: Buffer): number {
  let at = Math.max(0, bytes.length - form.length + 1);
  while (at < bytes.length && !bytes.subarray(at).equals(form.subarray(0, bytes.length - at))) at += 1;
  return at;
}
