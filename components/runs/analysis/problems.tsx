import { formatCountOf } from "#components/shell/format-number.ts";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import { repeatWords, wasteWords } from "#lib/contract/logs/analysis-words.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { Quoted, QuotedMessage } from "./quoted.tsx";
import { Row, Rows, Section } from "./section.tsx";
import { StepLinks } from "./step-links.tsx";

/** Clusters of similar errors, most frequent first. */
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

/** Repeated calls. */
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

/** Output that was of no use. */
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
