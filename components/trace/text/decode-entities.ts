const known = new Map<string, string>();

/**
 * Stands for the package `entities` in the browser (next.config.mjs), which has the table of all named characters itself:
 * what `&copy;` and the like mean, for markdown-it, which asks for one name at a time. What is no name stays as it is.
 */
export function decodeHTMLStrict(text: string): string {
  let decoded = known.get(text);
  if (decoded === undefined) {
    // A document made by the parser runs nothing and asks for nothing. White space right at its beginning would be dropped.
    decoded = /^&[a-z][a-z0-9]*;$/i.test(text)
      ? (new DOMParser().parseFromString(`.${text}`, "text/html").body.textContent.slice(1) ?? text)
      : text;
    known.set(text, decoded);
  }
  return decoded;
}
