import { Lru } from "#lib/lru.ts";

const known = new Lru<string, string>({ count: 1_000 });

/**
 * Replaces the package `entities` in the browser (next.config.mjs). The browser itself knows all named character references, such
 * as `&copy;`; markdown-it asks for one at a time. Unknown names stay unchanged.
 */
export function decodeHTMLStrict(text: string): string {
  return known.obtain(text, () =>
    // A parsed document runs and loads nothing. Leading white space would be dropped.
    /^&[a-z][a-z0-9]*;$/i.test(text)
      ? (new DOMParser().parseFromString(`.${text}`, "text/html").body.textContent.slice(1) ?? text)
      : text,
  );
}
