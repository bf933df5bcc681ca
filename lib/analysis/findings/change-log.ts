import { isAside } from "#lib/analysis/effects.ts";

/** A call that changed something. */
export type Change = {
  seq: number;
  /** Identifies the call: its own changes do not count for its next run. */
  key: number;
  /** The changed files; null if it may be any. */
  paths: readonly string[] | null;
  /** It certainly changed files of the project. */
  isSure: boolean;
};

/** Dependencies of a repeated call. */
export type Dependence = {
  key: number;
  /** The files it reads; null if it may read any. */
  paths: readonly string[] | null;
  /** Its own words: a file they name matters, wherever it is. */
  words: string;
};

const keptMax = 512;

/** Latest changes of a run, to determine whether something changed between two calls. */
export class ChangeLog {
  readonly #changes: Change[] = [];
  /** Changes up to this seq are forgotten. */
  #forgottenTo = 0;
  /** First and last call that certainly changed a file other than a note. */
  firstEdit: number | null = null;
  lastEdit: number | null = null;

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length > keptMax) this.#forgottenTo = this.#changes.shift()?.seq ?? this.#forgottenTo;
    if (!change.isSure || change.paths?.every(isAside)) return;
    this.firstEdit ??= change.seq;
    this.lastEdit = change.seq;
  }

  /** True if something the call depends on was changed after `seq`. */
  hasChangedSince(seq: number, call: Dependence): boolean {
    if (seq < this.#forgottenTo) return true;
    return this.#after(seq).some((change) => isRelevant(change, call));
  }

  /** True if anything at all may have been changed after `seq`, by another call than this. */
  hasAnySince(seq: number, key: number): boolean {
    return seq < this.#forgottenTo || this.#after(seq).some((change) => change.key !== key);
  }

  /** Certain changes after one seq and before another. */
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

/** The same file, or one in the folder: paths may be absolute or relative. */
export function isSame(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const own = short.replace(/^\.\//, "").replace(/\/$/, "");
  return long === own || long.endsWith(`/${own}`) || long.includes(`/${own}/`) || long.startsWith(`${own}/`);
}
