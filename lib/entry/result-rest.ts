/** Parts of a result already shown: whole fields by name, texts wherever they occur, and whether its images are. */
export type Shown = {
  names: readonly string[];
  texts: readonly string[];
  images: boolean;
  /** Name of the list of content blocks whose texts are shown. */
  blocks: string | null;
};

/**
 * Fields of a result that nothing else shows; null if there are none. Shown texts and the bytes of shown images are left out
 * wherever they occur again. Nulls and empty values do not count.
 */
export function resultRest(
  fields: Record<string, unknown>,
  { names, texts: shown, images, blocks }: Shown,
): Record<string, unknown> | null {
  const hidden = new Set(names);
  const texts = new Set(shown.map((text) => text.trim()));
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (hidden.has(name)) continue;
    const left = leftOf(value, { texts, images, areBlocks: name === blocks }, 0);
    if (left !== undefined) rest[name] = left;
  }
  return Object.keys(rest).length === 0 ? null : rest;
}

const depthMax = 60;

type Known = { texts: ReadonlySet<string>; images: boolean; areBlocks: boolean };

/** The value without what is shown; undefined if nothing is left. */
function leftOf(value: unknown, known: Known, depth: number): unknown {
  const { texts, images, areBlocks } = known;
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "string") {
    if (images && value.startsWith("data:image/")) return undefined;
    return texts.has(value.trim()) ? undefined : value;
  }
  if (typeof value !== "object" || depth > depthMax) return value;
  if (Array.isArray(value)) {
    const left = value.map((one) => leftOf(one, known, depth + 1)).filter((one) => one !== undefined);
    return left.length === 0 ? undefined : left;
  }
  if (images && isImage(value)) return undefined;
  const isText = areBlocks && "type" in value && "text" in value && typeof value.text === "string";
  const left = Object.entries(value).flatMap(([name, inner]) => {
    // A text block's content is in the output; its type need not be shown.
    if (isText && (name === "text" || name === "type")) return [];
    const kept = leftOf(inner, known, depth + 1);
    return kept === undefined ? [] : [[name, kept]];
  });
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

function isImage(value: object): boolean {
  return "type" in value && value.type === "image" && ("source" in value || "data" in value);
}
