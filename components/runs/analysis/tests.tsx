import { CircleCheck, CircleHelp, CircleSlash, CircleX } from "lucide-react";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import { cn } from "#components/ui/class-names.ts";
import type { Analysis, TestVerdict } from "#lib/contract/logs/analysis.ts";
import { Quoted } from "./quoted.tsx";
import { Row, Rows, Section } from "./section.tsx";
import { StepLinks } from "./step-links.tsx";

const looks = {
  pass: { word: "passed", icon: CircleCheck, color: "text-status-completed" },
  fail: { word: "failed", icon: CircleX, color: "text-status-failed" },
  error: { word: "could not run", icon: CircleSlash, color: "text-status-waiting" },
  unknown: { word: "no verdict", icon: CircleHelp, color: "text-status-ended" },
} as const;

/** Checks of a run: before and after its changes, what got worse, and each run of them. */
export function Tests({ analysis: { tests, counts } }: { analysis: Analysis }) {
  const { before, after, regressed, expectation_changes } = tests;
  return (
    <Section title="Tests and checks" count={counts.test_runs}>
      {(before !== null || after !== null) && (
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
          <Mark label="Before the first change" mark={before} />
          <Mark label="After the last change" mark={after} />
        </dl>
      )}
      {regressed.length > 0 && (
        <Rows
          items={regressed}
          keyOf={({ command, test, red_seq }) => `${command} ${test} ${red_seq}`}
          render={({ command, test, green_seq, red_seq, resolved_seq }) => (
            <Row
              aside={
                <>
                  <span>
                    passed <StepLink seq={green_seq} />
                  </span>
                  <span>
                    failed <StepLink seq={red_seq} />
                  </span>
                  {resolved_seq === null ? (
                    <span>not fixed</span>
                  ) : (
                    <span>
                      fixed <StepLink seq={resolved_seq} />
                    </span>
                  )}
                </>
              }
            >
              <span className="text-[13px]">{resolved_seq === null ? "Got worse: " : "Got worse, then fixed: "}</span>
              <Quoted text={test ?? command} />
            </Row>
          )}
        />
      )}
      {expectation_changes.length > 0 && (
        <Rows
          items={expectation_changes}
          keyOf={({ path, red_seq, green_seq }) => `${path} ${red_seq} ${green_seq}`}
          render={({ path, red_seq, green_seq, seqs }) => (
            <Row aside={<StepLinks seqs={[red_seq, ...seqs.slice(0, 3), green_seq]} />}>
              <span className="text-[13px]">Test edited between a failing and a passing run: </span>
              <Quoted text={path} />
            </Row>
          )}
        />
      )}
      <Rows
        items={tests.runs}
        count={counts.test_runs}
        keyOf={({ seq, command }) => `${seq} ${command}`}
        render={(run) => (
          <Row
            aside={
              <>
                {run.passed !== null && <span>{run.passed} passed</span>}
                {run.failed !== null && run.failed > 0 && <span>{run.failed} failed</span>}
                {run.skipped !== null && run.skipped > 0 && <span>{run.skipped} skipped</span>}
                {run.verdict === "fail" && !run.flagged && <span>not shown as an error</span>}
                <StepLink seq={run.seq} />
              </>
            }
          >
            <Verdict verdict={run.verdict} className="mr-1 sm:min-w-26" /> <Quoted text={run.command} />
          </Row>
        )}
      />
    </Section>
  );
}

function Mark({ label, mark }: { label: string; mark: Analysis["tests"]["before"] }) {
  return (
    <div className="grid content-start gap-0.5 rounded-lg border border-border px-3 py-1.5">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="min-w-0">
        {mark === null ? (
          <span className="text-muted-foreground">not run</span>
        ) : (
          <span className="flex flex-wrap items-baseline gap-x-2">
            <Verdict verdict={mark.verdict} />
            {mark.failed !== null && mark.failed > 0 && <span className="tabular-nums">{mark.failed} failed</span>}
            {mark.passed !== null && <span className="text-muted-foreground tabular-nums">{mark.passed} passed</span>}
            <StepLink seq={mark.seq} />
          </span>
        )}
      </dd>
    </div>
  );
}

function Verdict({ verdict, className }: { verdict: TestVerdict; className?: string }) {
  const { word, icon: Icon, color } = looks[verdict];
  return (
    <span className={cn("inline-flex items-baseline gap-1 whitespace-nowrap text-[13px]", color, className)}>
      <Icon aria-hidden className="size-3.5 shrink-0 self-center" />
      {word}
    </span>
  );
}
