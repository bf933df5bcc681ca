const known = new Map<string, string>();

/**
 * Replaces the package `entities` in the browser (next.config.mjs), which itself knows all named characters: the meaning of
 * `&copy;` and the like, for markdown-it, which asks for one name at a time. Unknown names stay unchanged.
 */
export function decodeHTMLStrict(text: string): string {
  let decoded = known.get(text);
  if (decoded === undefined) {
    // A parsed document runs nothing and loads nothing. White space at its very beginning would be dropped.
    decoded = /^&[a-z][a-z0-9]*;$/i.test(text)
      ? (new DOMParser().parseFromString(`.${text}`, "text/html").body.textContent.slice(1) ?? text)
      : text;
    known.set(text, decoded);
  }
  return decoded;
}
