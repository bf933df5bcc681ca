/**
 * Replaces the packages `mdurl` and `punycode.js` in the browser (next.config.mjs). markdown-it would use them to rewrite
 * addresses, but here they are shown and followed exactly as written (markdown-nodes.ts), so nothing in this file is ever called.
 */
export { refuse as decode, refuse as encode, refuse as format, refuse as parse };

function refuse(): never {
  throw new Error("Addresses are not rewritten here.");
}

export default { toASCII: refuse, toUnicode: refuse };
