import { isMap, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";

/** A YAML text whose outermost value is a map, with the lines of its nodes. */
export type LinedYaml = { root: YAMLMap; lineOf(node: Node): number };

/** Beyond these a file is no workflow that somebody wrote, and takes long to parse: UTF-16 units, documents, brackets. */
const yamlBounds = { charactersMax: 128 * 1024, documentsMax: 10, depthMax: 100 } as const;

/** Parses YAML without resolving aliases or tags; null where it cannot be read, is no map, or is too large or too deep. */
export function parseYaml(text: string): LinedYaml | null {
  if (isTooLarge(text)) return null;
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, logLevel: "silent", uniqueKeys: false });
    if (!isMap(document.contents)) return null;
    return { root: document.contents, lineOf: (node) => lines.linePos(node.range?.[0] ?? 0).line };
  } catch {
    // Deeply nested text can exceed the stack.
    return null;
  }
}

function isTooLarge(text: string): boolean {
  if (text.length > yamlBounds.charactersMax) return true;
  if ((text.match(/^---/gm)?.length ?? 0) > yamlBounds.documentsMax) return true;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > yamlBounds.depthMax) return true;
  }
  // Lists in lists on one line: "- - - -".
  return new RegExp(`(?:-[ \\t]+){${yamlBounds.depthMax}}`).test(text);
}
