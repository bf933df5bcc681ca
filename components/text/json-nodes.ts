import { ExactNumber } from "#lib/contract/exact-json.ts";
import { isDrawn, isLabel } from "#lib/entry/field-names.ts";

/** Type of a JSON value. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** One value in the tree. `size` is its number of children, or the length of a string; `key` is null for the root. */
export type JsonNode = {
  id: number;
  key: string | number | null;
  value: unknown;
  kind: JsonKind;
  size: number;
  depth: number;
  parent: JsonNode | null;
  isOpen: boolean;
  /** Number of children shown while it is open. */
  shown: number;
};

/** A line of the tree: a value, or a button for more children of a value. */
export type JsonRow = { kind: "node"; node: JsonNode } | { kind: "more"; node: JsonNode; hidden: number };

/** Values at this depth (the root is at 0) or deeper, or with more children, are closed at first. */
const openDepth = 2;
const openSizeMax = 20;
const pageSize = 100;
/** Longer strings are one line until they are opened. */
export const stringFoldedMax = 120;

/**
 * A JSON value as a tree, built as far as it is viewed. No recursion: values nested ten thousand deep are shown like any
 * others. The nodes hold the state; read `rows` again after each change.
 */
export class JsonNodes {
  readonly root: JsonNode;
  readonly #children = new Map<JsonNode, JsonNode[]>();
  readonly #shownOf: (text: string) => string;
  #lastId = 0;

  /** `shownOf` gives what is shown of a string: by default all of it. */
  constructor(value: unknown, shownOf = (text: string) => text) {
    this.#shownOf = shownOf;
    this.root = this.#make(null, value, null);
    if (this.isFoldable(this.root)) this.root.isOpen = this.root.kind !== "string";
  }

  /** Whether it can be opened: it has children, or the rest of a long string. */
  isFoldable(node: JsonNode): boolean {
    return node.kind === "string"
      ? isLong(node.value)
      : node.size > 0 && (node.kind === "object" || node.kind === "array");
  }

  /** All visible lines, from the top. */
  rows(): JsonRow[] {
    const rows: JsonRow[] = [];
    const rest: JsonRow[] = [{ kind: "node", node: this.root }];
    for (let row = rest.pop(); row !== undefined; row = rest.pop()) {
      rows.push(row);
      const { node } = row;
      if (row.kind === "more" || !node.isOpen || node.kind === "string") continue;
      if (node.size > node.shown) rest.push({ kind: "more", node, hidden: node.size - node.shown });
      const children = this.childrenOf(node);
      for (let place = children.length - 1; place >= 0; place--) {
        const child = children[place];
        if (child !== undefined) rest.push({ kind: "node", node: child });
      }
    }
    return rows;
  }

  /** Visible children of an open value. */
  childrenOf(node: JsonNode): JsonNode[] {
    const known = this.#children.get(node) ?? [];
    if (known.length < Math.min(node.size, node.shown)) {
      const made = entriesOf(node.value, known.length, node.shown).map(([key, value]) => this.#make(key, value, node));
      known.push(...made);
      this.#children.set(node, known);
    }
    return known;
  }

  /** Opens or closes a value; its descendants keep their state. */
  setOpen(node: JsonNode, isOpen: boolean): void {
    if (this.isFoldable(node)) node.isOpen = isOpen;
  }

  /** Shows the next hundred children of a value. */
  showMore(node: JsonNode): void {
    node.shown += pageSize;
  }

  /** Opens everything around the first match, including a long text itself. Returns whether there is one. */
  reveal(isMatch: (text: string) => boolean): boolean {
    const path = pathTo(this.root.value, (text) => isMatch(this.#shownOf(text)));
    if (path === null) return false;
    let node = this.root;
    for (const { key, place } of path) {
      node.isOpen = true;
      while (node.shown <= place) this.showMore(node);
      const child = this.childrenOf(node).find((other) => other.key === key);
      if (child === undefined) return false;
      node = child;
    }
    const shownLine = typeof node.value === "string" ? firstLineOf(node.value) : "";
    if (node.kind === "string" && this.isFoldable(node) && !isMatch(shownLine))
      node.isOpen = isMatch(String(node.value));
    return true;
  }

  #make(key: string | number | null, value: unknown, parent: JsonNode | null): JsonNode {
    const kind = kindOf(value);
    const shown = typeof value === "string" ? this.#shownOf(value) : value;
    const size = sizeOf(shown);
    const depth = parent === null ? 0 : parent.depth + 1;
    const isOpen = kind !== "string" && size > 0 && depth < openDepth && size <= openSizeMax;
    this.#lastId += 1;
    return { id: this.#lastId, key, value: shown, kind, size, depth, parent, isOpen, shown: pageSize };
  }
}

/** One-line form of a long text. */
export function firstLineOf(text: string): string {
  return text.slice(0, stringFoldedMax).split("\n", 1)[0] ?? "";
}

/** Path of a value, as `$.files[3].name`. */
export function pathOfNode(node: JsonNode): string {
  const keys: string[] = [];
  for (let at: JsonNode | null = node; at !== null && at.key !== null; at = at.parent) {
    const isName = typeof at.key === "string" && /^[A-Za-z_$][\w$]*$/.test(at.key);
    keys.push(isName ? `.${at.key}` : `[${JSON.stringify(at.key)}]`);
  }
  return `$${keys.reverse().join("")}`;
}

/** A value on the path, and its position among its parent's children. */
type Step = { value: unknown; key: string | number; place: number; from: Step | null };

function pathTo(root: unknown, isMatch: (text: string) => boolean): Step[] | null {
  const rest: Step[] = [{ value: root, key: "", place: 0, from: null }];
  for (let step = rest.pop(); step !== undefined; step = rest.pop()) {
    const { value } = step;
    const isOwnName = typeof step.key === "string" && step.from !== null && !isLabel(step.key);
    const isShown = typeof value !== "object" || value === null || value instanceof ExactNumber;
    const isDrawnHere = typeof step.key === "string" && step.from !== null && isDrawn(step.key, value);
    if ((isShown && !isDrawnHere && isMatch(String(value))) || (isOwnName && isMatch(String(step.key)))) {
      const path: Step[] = [];
      for (let at = step; at.from !== null; at = at.from) path.push(at);
      return path.reverse();
    }
    const from = step;
    const children = entriesOf(value, 0, Number.POSITIVE_INFINITY);
    for (const [place, [key, child]] of [...children.entries()].reverse())
      rest.push({ value: child, key, place, from });
  }
  return null;
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && (value.length > stringFoldedMax || value.includes("\n"));
}

function kindOf(value: unknown): JsonKind {
  if (Array.isArray(value)) return "array";
  if (value instanceof ExactNumber) return "number";
  if (typeof value === "object" && value !== null) return "object";
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return typeof value as JsonKind;
  return "null";
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return typeof value === "object" && value !== null ? Object.keys(value).length : 0;
}

function entriesOf(value: unknown, from: number, to: number): [string | number, unknown][] {
  if (Array.isArray(value)) return value.slice(from, to).map((child, place) => [from + place, child]);
  if (typeof value !== "object" || value === null) return [];
  const all = new Map(Object.entries(value));
  return [...all].slice(from, to);
}
