/**
 * Stands for the packages `mdurl` and `punycode.js` in the browser (next.config.mjs). markdown-it would write addresses anew with
 * them, which are shown and followed here as they stand in the text (markdown-nodes.ts): nothing of this is ever called.
 */
export { refuse as decode, refuse as encode, refuse as format, refuse as parse };

function refuse(): never {
  throw new Error("Addresses are not written anew here.");
}

export default { toASCII: refuse, toUnicode: refuse };
