/** What a JSON value is. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** One value in the tree. `size` is how many children it has, for a string its length; `key` is null for the root. */
export type JsonNode = {
  id: number;
  key: string | number | null;
  value: unknown;
  kind: JsonKind;
  size: number;
  depth: number;
  parent: JsonNode | null;
  isOpen: boolean;
  /** How many of its children are shown while it is open. */
  shown: number;
};

/** A line of the tree: a value, or the place where more children of a value can be shown. */
export type JsonRow = { kind: "node"; node: JsonNode } | { kind: "more"; node: JsonNode; hidden: number };

/** Values deeper than this, or with more children than that, begin closed. */
const openDepth = 2;
const openSizeMax = 20;
const pageSize = 100;
/** Longer strings are one line until they are opened. */
export const stringFoldedMax = 120;

/**
 * A JSON value as a tree that is built as far as it is looked at. Nothing here recurses: values nested ten thousand deep are
 * shown like any others. State is kept in the nodes; `rows` is to be read again after each change.
 */
export class JsonTree {
  readonly root: JsonNode;
  readonly #children = new Map<JsonNode, JsonNode[]>();
  #lastId = 0;

  constructor(value: unknown) {
    this.root = this.#make(null, value, null);
    if (this.isFoldable(this.root)) this.root.isOpen = this.root.kind !== "string";
  }

  /** Whether there is something to open: children, or the rest of a long string. */
  isFoldable(node: JsonNode): boolean {
    return node.kind === "string"
      ? isLong(node.value)
      : node.size > 0 && (node.kind === "object" || node.kind === "array");
  }

  /** All lines that are shown, from the top. */
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

  /** The children of a value that are shown while it is open. */
  childrenOf(node: JsonNode): JsonNode[] {
    const known = this.#children.get(node) ?? [];
    if (known.length < Math.min(node.size, node.shown)) {
      const made = entriesOf(node.value, known.length, node.shown).map(([key, value]) => this.#make(key, value, node));
      known.push(...made);
      this.#children.set(node, known);
    }
    return known;
  }

  /** Opens or closes a value; what is open below it stays so. */
  setOpen(node: JsonNode, isOpen: boolean): void {
    if (this.isFoldable(node)) node.isOpen = isOpen;
  }

  /** Shows the next hundred children of a value. */
  showMore(node: JsonNode): void {
    node.shown += pageSize;
  }

  /** Opens what hides the first value that is sought: all around it, and a long text itself. Gives whether there is one. */
  reveal(isSought: (value: string | number) => boolean): boolean {
    const path = pathTo(this.root.value, isSought);
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
    if (this.isFoldable(node) && !isSought(shownLine)) node.isOpen = true;
    return true;
  }

  #make(key: string | number | null, value: unknown, parent: JsonNode | null): JsonNode {
    const kind = kindOf(value);
    const size = sizeOf(value);
    const depth = parent === null ? 0 : parent.depth + 1;
    const isOpen = kind !== "string" && size > 0 && depth < openDepth && size <= openSizeMax;
    this.#lastId += 1;
    return { id: this.#lastId, key, value, kind, size, depth, parent, isOpen, shown: pageSize };
  }
}

/** What a long text shows of itself in one line. */
export function firstLineOf(text: string): string {
  return text.slice(0, stringFoldedMax).split("\n", 1)[0] ?? "";
}

/** Where a value stands, as `$.files[3].name`. */
export function pathOfNode(node: JsonNode): string {
  const keys: string[] = [];
  for (let at: JsonNode | null = node; at !== null && at.key !== null; at = at.parent) {
    const isName = typeof at.key === "string" && /^[A-Za-z_$][\w$]*$/.test(at.key);
    keys.push(isName ? `.${at.key}` : `[${JSON.stringify(at.key)}]`);
  }
  return `$${keys.reverse().join("")}`;
}

/** A value on the way, and how it was come to: `place` is where it stands among its parent's children. */
type Step = { value: unknown; key: string | number; place: number; from: Step | null };

function pathTo(root: unknown, isSought: (value: string | number) => boolean): Step[] | null {
  const rest: Step[] = [{ value: root, key: "", place: 0, from: null }];
  for (let step = rest.pop(); step !== undefined; step = rest.pop()) {
    const { value } = step;
    if ((typeof value === "string" || typeof value === "number") && isSought(value)) {
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
