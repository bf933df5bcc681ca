import { formatBytes, formatCountOf } from "#components/shell/format-number.ts";
import type { Analysis } from "#lib/contract/analysis.ts";
import { Quoted, QuotedMessage } from "./quoted.tsx";
import { Row, Rows, Section } from "./section.tsx";
import { StepLink, StepLinks } from "./step-link.tsx";

/** Errors that say the same, most frequent first. */
export function ErrorClusters({ errors, count }: { errors: Analysis["errors"]; count: number }) {
  return (
    <Section title="Errors" count={count}>
      <Rows
        items={errors}
        count={count}
        keyOf={({ signature, tool }) => `${tool} ${signature}`}
        render={({ sample, tool, count: times, seqs, resolved_at }) => (
          <Row
            aside={
              <>
                {times > 1 && <span>{times} times</span>}
                <StepLinks seqs={seqs} count={times} max={3} />
                {resolved_at !== null && (
                  <span>
                    fixed by <StepLink seq={resolved_at} />
                  </span>
                )}
              </>
            }
          >
            {tool !== null && <span className="text-[13px] text-muted-foreground">{tool} </span>}
            <QuotedMessage text={sample} className="line-clamp-3" />
          </Row>
        )}
      />
    </Section>
  );
}

const repeatWords = {
  loop: "Loop",
  polling: "Waiting",
  rerun_after_edit: "Again after a change",
  flaky: "Flaky",
} as const;

/** The same call again and again. */
export function Repeats({ repeats, count }: { repeats: Analysis["repeats"]; count: number }) {
  return (
    <Section title="Repeated calls" count={count}>
      <Rows
        items={repeats}
        count={count}
        keyOf={({ kind, tool, call, seqs }) => `${kind} ${tool} ${call} ${seqs[0]}`}
        render={({ kind, call, count: times, seqs, wasted_bytes }) => (
          <Row
            aside={
              <>
                <span>{times} times</span>
                {wasted_bytes > 0 && <span>{formatBytes(wasted_bytes)} wasted</span>}
                <StepLinks seqs={seqs} count={times} max={3} />
              </>
            }
          >
            <span className="text-[13px] text-muted-foreground">{repeatWords[kind]} </span>
            <Quoted text={call} className="line-clamp-2" />
          </Row>
        )}
      />
    </Section>
  );
}

const wasteWords = {
  repeated_read: "Read again, unchanged",
  oversized_output: "Very large output",
  failed_retry: "Failed call tried again",
  unused_output: "Output not used",
} as const;

/** Output that brought nothing. */
export function Waste({ waste, count }: { waste: Analysis["waste"]; count: number }) {
  const note = `${formatBytes(waste.bytes)}, ${Math.round(waste.share * 100)}% of all output`;
  return (
    <Section title="Wasted output" note={note}>
      <Rows
        items={waste.items}
        count={count}
        keyOf={({ rule, seqs }) => `${rule} ${seqs[0]}`}
        render={({ rule, seqs, count: steps, bytes }) => (
          <Row
            aside={
              <>
                <span>{formatBytes(bytes)}</span>
                <StepLinks seqs={seqs} count={steps} max={3} />
              </>
            }
          >
            {wasteWords[rule]}
            {steps > 1 && <span className="text-muted-foreground">, {formatCountOf(steps, "step")}</span>}
          </Row>
        )}
      />
    </Section>
  );
}
