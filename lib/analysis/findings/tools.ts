import { RecentMap } from "#lib/analysis/bounded.ts";
import { labelOf } from "#lib/analysis/call-label.ts";
import { cut } from "#lib/analysis/checks/output-lines.ts";
import type { Call, Step } from "#lib/analysis/step.ts";
import type { Analysis, AnalysisTool } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";

type Tool = { calls: number; errors: number; bytes: number; durations: Map<number, number>; timed: number };

const slowestMax = 10;

/** Statistics of tools, and the slowest calls. */
export class Tools {
  readonly #tools = new RecentMap<string, Tool>(2_000);
  #slowest: Analysis["slowest"] = [];
  isAnyTimed = false;

  add(step: Step, call: Call): void {
    const name = cut(call.tool, analysisTextMax);
    const tool = this.#tools.get(name) ?? { calls: 0, errors: 0, bytes: 0, durations: new Map(), timed: 0 };
    this.#tools.set(name, tool);
    tool.calls += 1;
    tool.bytes += call.bytes;
    if (call.outcome === "failed") tool.errors += 1;
    const ms = call.durationMs === null ? null : Math.round(Math.max(0, call.durationMs));
    if (ms === null || !Number.isSafeInteger(ms)) return;
    this.isAnyTimed = true;
    tool.timed += 1;
    const rounded = stepOf(ms);
    tool.durations.set(rounded, (tool.durations.get(rounded) ?? 0) + 1);
    const least = this.#slowest.at(-1);
    if (this.#slowest.length === slowestMax && least !== undefined && ms <= least.ms) return;
    this.#slowest = [...this.#slowest, { seq: step.seq, tool: name, call: labelOf(step, call), ms }]
      .sort((one, other) => other.ms - one.ms || one.seq - other.seq)
      .slice(0, slowestMax);
  }

  get count(): number {
    return this.#tools.size;
  }

  get slowest(): Analysis["slowest"] {
    return [...this.#slowest];
  }

  /** Most calls first. */
  result(): AnalysisTool[] {
    return [...this.#tools.entries()]
      .map(([name, tool]) => ({
        name,
        calls: tool.calls,
        errors: tool.errors,
        p50_ms: quantile(tool, 0.5),
        p95_ms: quantile(tool, 0.95),
        bytes: tool.bytes,
      }))
      .sort((one, other) => other.calls - one.calls || (one.name < other.name ? -1 : 1))
      .slice(0, analysisItemsMax);
  }
}

/** Durations are rounded to three digits, so that a million calls need no more numbers than a thousand. */
function stepOf(ms: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, ms))) - 2);
  return Math.round(ms / unit) * unit;
}

/** The smallest duration not exceeded by this share of the calls; null without any. */
function quantile({ durations, timed }: Tool, part: number): number | null {
  let left = Math.ceil(timed * part);
  for (const [ms, count] of [...durations].sort(([one], [other]) => one - other)) {
    left -= count;
    if (left <= 0) return ms;
  }
  return null;
}
