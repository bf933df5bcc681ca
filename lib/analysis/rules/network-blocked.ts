import { linesOf } from "#lib/analysis/output-lines.ts";
import { mayHaveFailed, type SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/analysis.ts";
import { analysisTextMax } from "#lib/contract/analysis-bounds.ts";
import { type CauseRule, causeOf, confidenceBy, Incidents, type RunEnd } from "./cause-rule.ts";

const words =
  /could not resolve (?:host|proxy)|couldn't resolve host|\bENOTFOUND\b|\bEAI_AGAIN\b|temporary failure (?:in name resolution|resolving)|name or service not known|nodename nor servname|network is unreachable|\bENETUNREACH\b|no route to host|\bEHOSTUNREACH\b|failed to establish a new connection|dial tcp[^\n]*(?:no such host|i\/o timeout|connection refused|unreachable)|lookup \S+[^\n]*: no such host|getaddrinfo|CONNECT tunnel failed|proxy (?:error|CONNECT aborted)|tunneling socket could not|connection timed out|connect ETIMEDOUT|failed to connect to|unable to connect to|network access (?:is )?(?:disabled|denied|blocked)|blocked by (?:the )?(?:network|sandbox|proxy) polic/i;
const own = /localhost|127\.0\.0\.1|\b0\.0\.0\.0\b|\[?::1\]?/;

/** The network, or a host in it, could not be reached. */
export class NetworkBlocked implements CauseRule {
  readonly #blocked = new Incidents();

  add(step: Step, seen: SeenCall | null): void {
    if (seen === null) return;
    const { call } = seen;
    const line = blockedLine(seen);
    if (line !== null)
      this.#blocked.add(String(seen.subject), { seq: step.seq, quote: quoteIn(step, line, analysisTextMax) });
    else if (call.outcome === "ok" && !this.#blocked.isEmpty) this.#blocked.resolve(String(seen.subject));
  }

  cause(end: RunEnd): AnalysisCause | null {
    const open = this.#blocked.open;
    if (open === null) return null;
    return causeOf({
      rule: "network_blocked",
      title: "The network could not be reached",
      confidence: confidenceBy(end, open.evidence.at(-1)?.seq ?? 0),
      evidence: open.evidence,
      count: open.count,
      why: "A host could not be found or did not answer, and the same call did not succeed later. The network may be closed to this run, or a proxy may be missing.",
    });
  }
}

function blockedLine({ call, effects }: SeenCall): string | null {
  // Text that a call only shows is not its own.
  const isShown = call.outcome === "ok" && effects.changes === "none" && effects.reads.length > 0;
  if (isShown || !mayHaveFailed(call) || (call.outcome === "ok" && call.bytes > 20_000)) return null;
  if (!words.test(call.output.length > 40_000 ? call.output.slice(-40_000) : call.output)) return null;
  return linesOf(call.output).find(({ text }) => words.test(text) && !own.test(text))?.raw ?? null;
}
