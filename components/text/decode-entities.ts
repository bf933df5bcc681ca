import { Lru } from "#lib/lru.ts";

const known = new Lru<string, string>({ count: 1_000 });

/**
 * Replaces the package `entities` in the browser (next.config.mjs), which itself knows all named characters: the meaning of
 * `&copy;` and the like, for markdown-it, which asks for one name at a time. Unknown names stay unchanged.
 */
export function decodeHTMLStrict(text: string): string {
  return known.obtain(text, () =>
    // A parsed document runs nothing and loads nothing. White space at its very beginning would be dropped.
    /^&[a-z][a-z0-9]*;$/i.test(text)
      ? (new DOMParser().parseFromString(`.${text}`, "text/html").body.textContent.slice(1) ?? text)
      : text,
  );
}
