import { RecentMap } from "#lib/analysis/bounded.ts";
import { cut } from "#lib/analysis/checks/output-lines.ts";
import type { Effects } from "#lib/analysis/effects.ts";
import type { AnalysisFile } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";

type File = { reads: number; writes: number; first: number; last: number };

/** Files named by calls, with how often they were read and written. */
export class Files {
  readonly #files = new RecentMap<string, File>(20_000);
  #count = 0;

  add(seq: number, { reads, writes }: Pick<Effects, "reads" | "writes">): void {
    for (const path of reads) this.#note(path, seq, "reads");
    for (const path of writes) this.#note(path, seq, "writes");
  }

  #note(written: string, seq: number, what: "reads" | "writes"): void {
    const path = cut(written.replace(/^\.\//, ""), analysisTextMax);
    if (path === "" || /[*?$`]|^-/.test(path)) return;
    const known = this.#files.get(path);
    if (known === undefined) this.#count += 1;
    const file = known ?? { reads: 0, writes: 0, first: seq, last: seq };
    file[what] += 1;
    file.last = seq;
    this.#files.set(path, file);
  }

  get count(): number {
    return this.#count;
  }

  /** Written files first, then the most read. `kept` is the paths of the run's diff, null if there is none. */
  result(kept: ReadonlySet<string> | null): AnalysisFile[] {
    return [...this.#files.entries()]
      .map(([path, file]) => ({
        path,
        reads: file.reads,
        writes: file.writes,
        first_seq: file.first,
        last_seq: file.last,
        kept: kept === null || file.writes === 0 ? null : isKept(path, kept),
      }))
      .sort(
        (one, other) =>
          other.writes - one.writes ||
          other.reads - one.reads ||
          one.first_seq - other.first_seq ||
          (one.path < other.path ? -1 : 1),
      )
      .slice(0, analysisItemsMax);
  }
}

/** True if the diff names the file: its paths are relative, those of calls may be absolute. */
function isKept(path: string, kept: ReadonlySet<string>): boolean {
  for (let at = 0; at !== -1; at = path.indexOf("/", at + 1)) {
    if (kept.has(at === 0 ? path : path.slice(at + 1))) return true;
  }
  return false;
}
