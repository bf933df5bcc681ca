import { RecentMap, Seqs } from "#lib/analysis/bounded.ts";
import { isExpected } from "#lib/analysis/checks/expected-failure.ts";
import { failedTestName } from "#lib/analysis/checks/failed-test.ts";
import { linesOf } from "#lib/analysis/checks/output-lines.ts";
import type { SeenCall } from "#lib/analysis/seen-call.ts";
import { signatureOf } from "#lib/analysis/signature.ts";
import { type Call, quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisErrorCluster } from "#lib/contract/logs/analysis.ts";
import { analysisItemsMax, analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { endsOfText } from "#lib/entry/text-ends.ts";

type Cluster = {
  signature: string;
  seqs: Seqs;
  sample: string;
  tool: string | null;
  call: number;
  resolvedAt: number | null;
};

/** Failed calls and error entries with the same message. */
export class Errors {
  readonly #clusters = new RecentMap<string, Cluster>(2_000);
  /** Clusters waiting for a success of a call. */
  readonly #waiting = new RecentMap<number, Set<Cluster>>(4_000);

  add(step: Step, seen: SeenCall | null): void {
    const outcome = seen?.call.outcome;
    if (seen !== null && (outcome === "ok" || outcome === "unknown")) this.#resolve(seen);
    else if (seen !== null && outcome === "failed")
      this.#note(step, errorLineOf(seen.call), seen.call.tool, seen.subject);
    else if (step.type === "ERROR") this.#note(step, firstTelling(step.said), null, null);
  }

  #note(step: Step, message: string, tool: string | null, subject: number | null): void {
    const signature = signatureOf(message, analysisTextMax) || "(no message)";
    const key = `${tool} ${signature}`;
    const cluster: Cluster = this.#clusters.get(key) ?? {
      signature,
      seqs: new Seqs(),
      sample: quoteIn(step, message, analysisTextMax),
      tool,
      call: 0,
      resolvedAt: null,
    };
    cluster.seqs.add(step.seq);
    cluster.resolvedAt = null;
    this.#clusters.set(key, cluster);
    if (subject === null) return;
    cluster.call = subject;
    const waiting = this.#waiting.get(subject) ?? new Set();
    waiting.add(cluster);
    this.#waiting.set(subject, waiting);
  }

  #resolve(seen: SeenCall): void {
    if (this.#waiting.size === 0) return;
    const { seq, subject } = seen;
    const waiting = this.#waiting.get(subject);
    if (waiting === undefined) return;
    for (const cluster of waiting) if (cluster.call === subject) cluster.resolvedAt ??= seq;
    this.#waiting.delete(subject);
  }

  get count(): number {
    return this.#clusters.size;
  }

  /** Most frequent first, then in order of occurrence. */
  result(): AnalysisErrorCluster[] {
    return [...this.#clusters.values()]
      .map(({ signature, seqs, sample, tool, resolvedAt }) => ({
        signature,
        count: seqs.count,
        seqs: [...seqs.items],
        sample,
        tool: tool === null ? null : tool.slice(0, analysisTextMax),
        resolved_at: resolvedAt,
      }))
      .sort((one, other) => other.count - one.count || (one.seqs[0] ?? 0) - (other.seqs[0] ?? 0))
      .slice(0, analysisItemsMax);
  }
}

/** The line of a failed call's output that says what was wrong; of parts that may fail, as in `curl … || true`, only if there is no other. */
export function errorLineOf({ output, view }: Call): string {
  return firstTelling(output, view.kind === "shell" ? view.command : "");
}

const telling =
  /error|fail|exception|not found|denied|cannot|can't|unable|refused|invalid|no such|missing|unknown|panic|fatal|timed? ?out|abort|reject|not allowed|does not|did not|not match|no match|expected|undefined|traceback/i;
const formal =
  /^(?:Exit code:? \d+|Command exited with code \d+|Process exited with code \d+|<\/?\w+>|Traceback \(most recent call last\):|Chunk ID|Wall time|Original token count|Output:)/i;

const tellingEnds = { head: 10_000, tail: 10_000 };

function firstTelling(text: string, command = ""): string {
  const lines = linesOf(endsOfText(text, tellingEnds)).filter((line) => !formal.test(line.text));
  const found =
    lines.find((line) => failedTestName(line.text) !== null) ??
    lines.find((line) => telling.test(line.text) && !isExpected(command, line.text)) ??
    lines.find((line) => telling.test(line.text)) ??
    lines[0];
  if (found !== undefined) return found.raw;
  return linesOf(text.slice(0, 1_000))[0]?.raw ?? "";
}
