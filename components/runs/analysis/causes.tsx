import { VisibleText } from "#components/text/visible-text.tsx";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { Badge } from "#components/ui/badge.tsx";
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import { Quoted } from "./quoted.tsx";
import { Section } from "./section.tsx";
import { StepLinks } from "./step-links.tsx";

/** Pieces of evidence shown unfolded. */
const evidenceMax = 3;

/** Causes of the run's failure, most certain first, each with quotes that prove it. */
export function Causes({ causes, outcome }: Pick<Analysis, "causes" | "outcome">) {
  const isGood = outcome.status === "completed" && outcome.verdict === "answered";
  return (
    <Section title={isGood ? "Worth checking" : causes.length === 1 ? "Cause" : "Causes"}>
      <ol className="grid gap-2">
        {causes.map(({ rule, first_seq, title, confidence, why, evidence, count }) => (
          <li key={`${rule} ${first_seq}`} className="grid gap-1.5 rounded-lg border border-border px-3 py-2">
            <div className="flex flex-wrap items-baseline gap-x-2">
              <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
                <VisibleText text={title} />
              </h3>
              <Badge variant={confidence === "certain" ? "default" : "outline"}>{confidence}</Badge>
            </div>
            <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
              <VisibleText text={why} />
            </p>
            <ul className="grid gap-1">
              {evidence.slice(0, evidenceMax).map(({ seq, quote }) => (
                <li key={`${seq} ${quote}`} className="flex min-w-0 items-baseline gap-2 text-[13px]">
                  <StepLink seq={seq} />
                  <Quoted text={quote} className="line-clamp-2" />
                </li>
              ))}
            </ul>
            <MoreSteps evidence={evidence} count={count} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Steps that are not quoted. */
function MoreSteps({ evidence, count }: Pick<Analysis["causes"][number], "evidence" | "count">) {
  const seqs = [...new Set(evidence.slice(evidenceMax).map(({ seq }) => seq))];
  if (seqs.length === 0) return null;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-[13px] text-muted-foreground">
      Also in <StepLinks seqs={seqs} count={seqs.length + Math.max(0, count - evidence.length)} max={8} />
    </p>
  );
}
