import { RecentMap, Seqs } from "#lib/analysis/bounded.ts";
import { splitCommand } from "#lib/analysis/checks/command-line.ts";
import { hashOf } from "#lib/analysis/hash.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import type { AnalysisWaste } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax } from "#lib/contract/logs/analysis-bounds.ts";
import type { ChangeLog } from "./change-log.ts";

type Rule = AnalysisWaste["items"][number]["rule"];
type Item = { rule: Rule; seqs: Seqs; bytes: number };

/** Bytes of an output beyond this are waste: no model benefits from reading them. */
const oversizedBytes = 65_536;
/** A smaller unused output does not matter. */
const unusedBytesMin = 16_384;

/** Output that was of no use, each byte counted once. */
export class Waste {
  readonly #past = new RecentMap<number, { seq: number; output: number; hasFailed: boolean }>(20_000);
  readonly #items = new RecentMap<string, Item>(2_000);
  #latest: { command: number; filtered: boolean; seq: number; bytes: number; place: number }[] = [];
  #place = 0;
  #bytes = 0;
  #wasted = 0;

  add(seen: SeenCall, changes: ChangeLog): void {
    const { seq, call, key, outputHash, effects, dependence } = seen;
    this.#place += 1;
    this.#bytes += call.bytes;
    const past = this.#past.get(key);
    const hasFailed = call.outcome === "failed";
    this.#past.set(key, { seq, output: outputHash, hasFailed });
    const isSame = past?.output === outputHash && !changes.hasChangedSince(past.seq, dependence);
    const isRead = call.view.kind === "read" || (effects.changes === "none" && effects.reads.length > 0);
    if (isSame && hasFailed && past?.hasFailed === true) this.#note("failed_retry", key, seq, call.bytes);
    else if (isSame && isRead && !hasFailed && call.bytes > 0) this.#note("repeated_read", key, seq, call.bytes);
    else if (call.bytes > oversizedBytes) this.#note("oversized_output", 0, seq, call.bytes - oversizedBytes);
    this.#findUnused(seen);
  }

  /** A large output requested again at once through a filter: the first one was of no use. */
  #findUnused({ seq, call }: SeenCall): void {
    if (call.view.kind !== "shell") return;
    const last = splitCommand(call.view.command).at(-1);
    if (last === undefined) return;
    const command = hashOf(`${last.folder} ${last.text}`);
    const filtered = last.filters.length > 0;
    const wide = this.#latest.find((one) => one.command === command && !one.filtered && this.#place - one.place <= 2);
    if (filtered && wide !== undefined && wide.bytes >= unusedBytesMin) {
      const bytes = Math.min(wide.bytes, oversizedBytes);
      this.#note("unused_output", wide.seq, wide.seq, bytes);
    }
    this.#latest = [...this.#latest.slice(-3), { command, filtered, seq, bytes: call.bytes, place: this.#place }];
  }

  #note(rule: Rule, key: number, seq: number, bytes: number): void {
    const id = `${rule} ${key}`;
    const item = this.#items.get(id) ?? { rule, seqs: new Seqs(), bytes: 0 };
    if (item.seqs.items.includes(seq)) return;
    item.seqs.add(seq);
    item.bytes += bytes;
    this.#wasted += bytes;
    this.#items.set(id, item);
  }

  get count(): number {
    return this.#items.size;
  }

  result(): AnalysisWaste {
    const share = this.#bytes === 0 ? 0 : Math.min(1, this.#wasted / this.#bytes);
    return {
      bytes: this.#wasted,
      share: Math.round(share * 10_000) / 10_000,
      items: [...this.#items.values()]
        .map(({ rule, seqs, bytes }) => ({ rule, seqs: [...seqs.items], count: seqs.count, bytes }))
        .sort((one, other) => other.bytes - one.bytes || (one.seqs[0] ?? 0) - (other.seqs[0] ?? 0))
        .slice(0, analysisItemsMax),
    };
  }
}
