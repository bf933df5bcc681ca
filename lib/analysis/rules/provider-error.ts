import { quoteIn, type Step } from "#lib/analysis/step.ts";
import type { AnalysisCause, AnalysisEvidence } from "#lib/contract/logs/analysis.ts";
import { analysisTextMax } from "#lib/contract/logs/analysis-bounds.ts";
import { type CauseRule, causeOf, confidenceBy, type RunEnd } from "./cause-rule.ts";

const kinds: readonly [title: string, words: RegExp][] = [
  [
    "The provider refused more requests",
    /\b429\b|rate.?limit|too many requests|overloaded|\b529\b|concurrency limit|tokens per min|requests per min/i,
  ],
  [
    "The account is out of quota or credit",
    /quota|credit balance|billing|insufficient.{0,20}(?:funds|credit|balance|quota)|usage limit|payment required|\b402\b/i,
  ],
  [
    "The agent could not sign in",
    /\b401\b|unauthori[sz]ed|authentication|invalid (?:x-)?api[ -]?key|api key|not logged in|please run \/login|oauth token|expired token|\b403\b/i,
  ],
  [
    "The provider answered with an error",
    /\b5\d\d\b|internal server error|service unavailable|bad gateway|APIConnection|api[ _]?error|server error|fetch failed|socket hang up|ECONNRESET|stream (?:error|disconnected)|connection error|upstream/i,
  ],
];

const anyWords = new RegExp(kinds.map(([, words]) => words.source).join("|"), "i");

/** An error of the agent's provider: 429, quota, sign-in, or the provider itself. */
export class ProviderError implements CauseRule {
  #found: { title: string; evidence: AnalysisEvidence[]; count: number } | null = null;

  add(step: Step): void {
    const text = providerWords(step);
    if (text === null || !anyWords.test(text)) return;
    for (const [title, words] of kinds) {
      if (!words.test(text)) continue;
      const line = text.split("\n", 50).find((one) => words.test(one));
      if (line === undefined) continue;
      const evidence = { seq: step.seq, quote: quoteIn(step, line, analysisTextMax) };
      // The latest kind of error counts; the others were resolved before it.
      if (this.#found?.title === title) {
        this.#found.count += 1;
        if (this.#found.evidence.length < 100) this.#found.evidence.push(evidence);
      } else this.#found = { title, evidence: [evidence], count: 1 };
      return;
    }
  }

  cause(end: RunEnd): AnalysisCause | null {
    if (this.#found === null) return null;
    const { title, evidence, count } = this.#found;
    return causeOf({
      rule: "provider_error",
      title,
      confidence: confidenceBy(end, evidence.at(-1)?.seq ?? 0),
      evidence,
      count,
      why: "The agent's own service did not answer as it should. Nothing in the repository causes this: wait, or look at the account.",
    });
  }
}

/** Where a provider's error can be: in an error entry, or as an answer that is one. Tool results belong to the project. */
function providerWords(step: Step): string | null {
  if (step.isNotice) return null;
  const said = step.said.slice(0, 4_000);
  if (step.type === "ERROR") {
    const text = JSON.stringify(step.entry.observation ?? "").slice(0, 4_000);
    return `${said}\n${text.length > said.length + 60 ? text : ""}`;
  }
  if (step.type !== "FINAL_ANSWER" && step.type !== "PLAN_EVALUATION") return null;
  return /^\W*(?:API Error|Error: (?:\d{3}|API)|Claude AI usage limit|Credit balance|You've (?:hit|reached) your|Invalid API key|\{"type":"error")/i.test(
    said,
  )
    ? said
    : null;
}
