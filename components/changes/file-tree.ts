/**
 * A row of the tree: either a folder, joined with the folders below it while each is an only child, or a file, by its index in
 * the list.
 */
export type TreeRow =
  | { kind: "folder"; path: string; name: string; depth: number; isOpen: boolean }
  | { kind: "file"; path: string; name: string; depth: number; index: number };

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Sorts files in tree order: folders before files, numbers by value. */
export function inTreeOrder<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  return files
    .map((file) => ({ file, parts: pathOf(file).split("/") }))
    .sort((one, other) => compareParts(one.parts, other.parts))
    .map(({ file }) => file);
}

function compareParts(one: readonly string[], other: readonly string[]): number {
  for (let at = 0; ; at += 1) {
    const [left, right] = [one[at] ?? "", other[at] ?? ""];
    const [isFile, isOtherFile] = [at >= one.length - 1, at >= other.length - 1];
    if (isFile !== isOtherFile) return isFile ? 1 : -1;
    const order = left === right ? 0 : names.compare(left, right) || (left < right ? -1 : 1);
    if (order !== 0 || isFile) return order;
  }
}

/**
 * Rows of the tree for paths in {@link inTreeOrder}. With a `filter`, only files whose path contains it, and every folder is
 * open.
 */
export function treeRows(paths: readonly string[], closed: ReadonlySet<string>, filter = ""): TreeRow[] {
  const wanted = filter.trim().toLowerCase();
  const found = paths.map((path, index) => ({ path, index })).filter(({ path }) => path.toLowerCase().includes(wanted));
  return rowsOf(found, "", 0, wanted === "" ? closed : new Set());
}

type Found = { path: string; index: number };

function rowsOf(files: readonly Found[], folder: string, depth: number, closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  for (let start = 0; start < files.length; ) {
    const { path, index } = files[start] as Found;
    const slash = path.indexOf("/", folder.length);
    if (slash === -1) {
      rows.push({ kind: "file", path, name: path.slice(folder.length), depth, index });
      start += 1;
      continue;
    }
    let end = start + 1;
    const isInside = (prefix: string, at: number) => files[at]?.path.startsWith(prefix) === true;
    while (isInside(path.slice(0, slash + 1), end)) end += 1;
    const inside = files.slice(start, end);
    const joined = commonFolder(inside, path.slice(0, slash + 1));
    const name = joined.slice(folder.length, -1);
    const isOpen = !closed.has(joined);
    rows.push({ kind: "folder", path: joined, name, depth, isOpen });
    if (isOpen) rows.push(...rowsOf(inside, joined, depth + 1, closed));
    start = end;
  }
  return rows;
}

/** The deepest folder that contains all the files and branches: it has several folders, or a file. */
function commonFolder(files: readonly Found[], folder: string): string {
  const [first] = files;
  const slash = first?.path.indexOf("/", folder.length) ?? -1;
  if (first === undefined || slash === -1) return folder;
  const deeper = first.path.slice(0, slash + 1);
  return files.every(({ path }) => path.startsWith(deeper)) ? commonFolder(files, deeper) : folder;
}
