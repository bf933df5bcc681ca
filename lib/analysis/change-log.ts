import { isAside } from "./effects.ts";

/** A call that changed something. */
export type Change = {
  seq: number;
  /** Of the call: what changes by itself is no change for its next run. */
  key: number;
  /** The changed files; null where it may be any. */
  paths: readonly string[] | null;
  /** It surely changed files of the project. */
  isSure: boolean;
};

/** What a repeated call depends on. */
export type Dependence = {
  key: number;
  /** The files that it reads; null where it may read any. */
  paths: readonly string[] | null;
  /** Its own words: a file that they name matters, wherever it lies. */
  words: string;
};

const keptMax = 512;

/** The latest changes of a run, for the question whether something changed between two calls. */
export class ChangeLog {
  readonly #changes: Change[] = [];
  /** Changes up to this seq are forgotten. */
  #forgottenTo = 0;
  /** The first and the last call that surely changed a file that is no note. */
  firstEdit: number | null = null;
  lastEdit: number | null = null;

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > keptMax) this.#forgottenTo = this.#changes.shift()?.seq ?? this.#forgottenTo;
    if (!change.isSure || change.paths?.every(isAside)) return;
    this.firstEdit ??= change.seq;
    this.lastEdit = change.seq;
  }

  /** True where something that the call depends on was changed after `seq`. */
  hasChangedSince(seq: number, call: Dependence): boolean {
    if (seq < this.#forgottenTo) return true;
    return this.#after(seq).some((change) => isRelevant(change, call));
  }

  /** True where anything at all may have been changed after `seq`, by another call than this. */
  hasAnySince(seq: number, key: number): boolean {
    return seq < this.#forgottenTo || this.#after(seq).some((change) => change.key !== key);
  }

  /** Sure changes after one seq and before another. */
  between(after: number, before: number): Change[] {
    return this.#after(after).filter((change) => change.seq < before && change.isSure);
  }

  #after(seq: number): Change[] {
    let at = this.#changes.length;
    while (at > 0 && (this.#changes[at - 1]?.seq ?? 0) > seq) at -= 1;
    return this.#changes.slice(at);
  }
}

function isRelevant(change: Change, { key, paths, words }: Dependence): boolean {
  if (change.key === key) return false;
  if (change.paths === null) return true;
  return change.paths.some((path) => {
    if (paths !== null) return paths.some((own) => isSame(own, path));
    return !isAside(path) || words.includes(path.slice(path.lastIndexOf("/") + 1));
  });
}

/** The same file, or one in the folder: paths may be whole or relative. */
export function isSame(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const own = short.replace(/^\.\//, "").replace(/\/$/, "");
  return long === own || long.endsWith(`/${own}`) || long.includes(`/${own}/`) || long.startsWith(`${own}/`);
}
