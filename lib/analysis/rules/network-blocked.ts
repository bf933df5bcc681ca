import { RecentMap } from "#lib/analysis/bounded.ts";
import { isExpected } from "#lib/analysis/checks/expected-failure.ts";
import { linesOf } from "#lib/analysis/checks/output-lines.ts";
import { mayHaveFailed, type SeenCall } from "#lib/analysis/seen-call.ts";
import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { denialWords } from "#lib/contract/repositories/denial-words.ts";
import type { DenialRule } from "#lib/contract/repositories/network.ts";
import {
  type CauseRule,
  causeOf,
  confidenceBy,
  Incidents,
  listed,
  type RefusedHost,
  type RunEnd,
} from "./cause-rule.ts";

/** With bounded gaps: a line may repeat the words before one, and each of them is then searched from. */
const words =
  /could not resolve (?:host|proxy)|couldn't resolve host|\bENOTFOUND\b|\bEAI_AGAIN\b|temporary failure (?:in name resolution|resolving)|name or service not known|nodename nor servname|network is unreachable|\bENETUNREACH\b|no route to host|\bEHOSTUNREACH\b|failed to establish a new connection|dial tcp[^\n]{0,400}(?:no such host|i\/o timeout|connection refused|unreachable)|lookup \S[^\n]{0,400}: no such host|getaddrinfo|CONNECT tunnel failed|proxy (?:error|CONNECT aborted)|tunneling socket could not|connection timed out|connect ETIMEDOUT|failed to connect to|unable to connect to|errand did not connect to|network access (?:is )?(?:disabled|denied|blocked)|blocked by (?:the )?(?:network|sandbox|proxy) polic/i;
const own = /localhost|127\.0\.0\.1|\b0\.0\.0\.0\b|\[?::1\]?/;

/** A line of a program whose proxy refused the connection; it names no host. */
const ofProxy = /^[^\n]*(?:CONNECT tunnel failed|tunneling socket could not|proxy (?:error|CONNECT aborted))/i;
const textMax = 4_000;

/** What each refusal means for the run, and who can change it. */
const meanings: Record<DenialRule, string> = {
  network_off:
    "The network of this run is off. An admin can change this on the repository's page or in Settings → Isolation.",
  host_not_allowed:
    "Errand refused the connection: the run may reach allowed hosts only. An admin can allow the host in the run's details, under Refused connections.",
  port_not_allowed:
    "Errand refused the connection: the run may reach the host on other ports only. An admin can allow the port in the run's details, under Refused connections.",
  private_address:
    "Errand refused the connection: it leads to a private network. The person who runs Errand can allow this host and port with ERRAND_EGRESS_PRIVATE.",
  metadata_address: "Errand refused the connection: it leads to a cloud metadata address, which no run may reach.",
  key_unknown: "Errand refused the connection: the key that was sent is not one of this run.",
};

/** The network, or a host in it, could not be reached. */
export class NetworkBlocked implements CauseRule {
  readonly #blocked = new Incidents();
  /** The last blocked call of each subject: its line and its command. */
  readonly #texts = new RecentMap<string, string>(200);

  add(step: Step, seen: SeenCall | null): void {
    if (seen === null) return;
    const { call } = seen;
    const line = blockedLine(seen);
    if (line !== null) {
      const subject = String(seen.subject);
      this.#blocked.add(subject, { seq: step.seq, quote: quoteIn(step, line, analysisTextMax) });
      const command = call.view.kind === "shell" ? call.view.command.slice(0, textMax) : "";
      this.#texts.set(subject, `${line.slice(0, textMax)}\n${command}`);
    } else if (call.outcome === "ok" && !this.#blocked.isEmpty) this.#blocked.resolve(String(seen.subject));
  }

  cause(end: RunEnd): AnalysisCause | null {
    const open = this.#blocked.open;
    if (open === null) return null;
    const texts = open.subjects.flatMap((subject) => this.#texts.get(subject) ?? []);
    const refused = refusedIn(texts, end.denials);
    const [first] = refused;
    const hosts = [...new Set(refused.filter(({ rule }) => rule === first?.rule).map(({ host }) => shortHost(host)))];
    return causeOf({
      rule: "network_blocked",
      title: first === undefined ? "The network could not be reached" : `${denialWords[first.rule]}: ${listed(hosts)}`,
      confidence: confidenceBy(end, open.evidence.at(-1)?.seq ?? 0),
      evidence: open.evidence,
      count: open.count,
      why:
        first === undefined
          ? "A host could not be found or did not answer, and the same call did not succeed later. The network may be closed to this run, or a proxy may be missing."
          : meanings[first.rule],
    });
  }
}

/** The service's refusals behind blocked calls: those of hosts that the calls name, or all if a call reports a proxy. */
function refusedIn(texts: readonly string[], denials: readonly RefusedHost[]): readonly RefusedHost[] {
  const named = denials.filter(({ host }) => texts.some((text) => text.includes(nameOf(host))));
  return named.length === 0 && texts.some((text) => ofProxy.test(text)) ? denials : named;
}

const nameOf = (host: string) => host.replace(/:\d+$/, "");
/** Without the default ports. */
const shortHost = (host: string) => host.replace(/:(?:80|443)$/, "");

function blockedLine({ call, effects }: SeenCall): string | null {
  // Text that a call only shows is not its own.
  const isShown = call.outcome === "ok" && effects.changes === "none" && effects.reads.length > 0;
  if (isShown || !mayHaveFailed(call) || (call.outcome === "ok" && call.bytes > 20_000)) return null;
  if (!words.test(call.output.length > 40_000 ? call.output.slice(-40_000) : call.output)) return null;
  const command = call.view.kind === "shell" ? call.view.command : "";
  const isCause = (text: string) => words.test(text) && !own.test(text) && !isExpected(command, text);
  return linesOf(call.output).find(({ text }) => isCause(text))?.raw ?? null;
}
