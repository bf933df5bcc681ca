import { isMap, LineCounter, type Node, parseDocument, type YAMLMap } from "yaml";

/** A YAML text whose outermost value is a map, with the lines of its nodes. */
export type LinedYaml = { root: YAMLMap; lineOf(node: Node): number };

/** A larger file is not a hand-written workflow, and takes long to parse: UTF-16 units, documents, brackets. */
const yamlBounds = { charactersMax: 128 * 1024, documentsMax: 10, depthMax: 100 } as const;

/** Parses YAML without resolving aliases or tags; null if it cannot be read, is not a map, or is too large or too deep. */
export function parseYaml(text: string): LinedYaml | null {
  if (yamlProblem(text) !== null) return null;
  const lines = new LineCounter();
  try {
    // Error messages for people take time, and nobody reads these.
    const options = { lineCounter: lines, logLevel: "silent", uniqueKeys: false, prettyErrors: false } as const;
    const document = parseDocument(text, options);
    if (!isMap(document.contents)) return null;
    return { root: document.contents, lineOf: (node) => lines.linePos(node.range?.[0] ?? 0).line };
  } catch {
    // Deeply nested text can exceed the stack.
    return null;
  }
}

/** Why a text is not parsed, as the end of a sentence; null if it is. */
export function yamlProblem(text: string): string | null {
  const { charactersMax, documentsMax, depthMax } = yamlBounds;
  if (text.length > charactersMax) return `it has more than ${charactersMax / 1024} KB`;
  if ((text.match(/^---/gm)?.length ?? 0) > documentsMax) return `it has more than ${documentsMax} documents`;
  const tooDeep = `it is nested more than ${depthMax} deep`;
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === "[" || bracket === "{" ? depth + 1 : Math.max(0, depth - 1);
    if (depth > depthMax) return tooDeep;
  }
  // Lists in lists on one line: "- - - -".
  return new RegExp(`(?:-[ \\t]+){${depthMax}}`).test(text) ? tooDeep : null;
}
