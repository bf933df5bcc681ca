import { formatCountOf } from "#components/shell/format-number.ts";
import { formatDuration } from "#components/shell/format-time.ts";
import { StepLink } from "#components/trace/reader/step-link.tsx";
import type { Analysis } from "#lib/contract/logs/analysis.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { Quoted } from "./quoted.tsx";
import { Row, Rows, Section } from "./section.tsx";
import { StepRange } from "./step-links.tsx";

/** The slowest calls. */
export function Slowest({ slowest }: { slowest: Analysis["slowest"] }) {
  return (
    <Section title="Slowest calls">
      <Rows
        items={slowest}
        first={5}
        keyOf={({ seq }) => String(seq)}
        render={({ seq, tool, call, ms }) => (
          <Row
            aside={
              <>
                <span>{formatDuration(ms, { precise: true })}</span>
                <StepLink seq={seq} />
              </>
            }
          >
            <Quoted text={call === "" ? tool : call} />
          </Row>
        )}
      />
    </Section>
  );
}

/** Tools by number of calls, with failures. */
export function Tools({ tools, count }: { tools: Analysis["tools"]; count: number }) {
  return (
    <Section title="Tools" count={count}>
      <Rows
        items={tools}
        first={5}
        count={count}
        keyOf={({ name }) => name}
        render={({ name, calls, errors, p50_ms, p95_ms, bytes }) => (
          <Row
            aside={
              <>
                <span>{formatCountOf(calls, "call")}</span>
                {errors > 0 && <span>{errors} failed</span>}
                {p50_ms !== null && p95_ms !== null && (
                  <span title="Half of the calls took less than p50, 95% less than p95">
                    p50 {formatDuration(p50_ms, { precise: true })}, p95 {formatDuration(p95_ms, { precise: true })}
                  </span>
                )}
                <span>{formatBytes(bytes)} output</span>
              </>
            }
          >
            <Quoted text={name} />
          </Row>
        )}
      />
    </Section>
  );
}

/** Files that were read and written. */
export function Files({ files, count }: { files: Analysis["files"]; count: number }) {
  return (
    <Section title="Files" count={count}>
      <Rows
        items={files}
        first={8}
        count={count}
        keyOf={({ path }) => path}
        render={({ path, reads, writes, first_seq, last_seq, kept }) => (
          <Row
            aside={
              <>
                {writes > 0 && <span>{formatCountOf(writes, "write")}</span>}
                {reads > 0 && <span>{formatCountOf(reads, "read")}</span>}
                {kept === false && <span>not in the diff</span>}
                <StepLink seq={first_seq} />
                {last_seq !== first_seq && <StepLink seq={last_seq} />}
              </>
            }
          >
            <Quoted text={path} />
          </Row>
        )}
      />
    </Section>
  );
}

const phaseWords = {
  orient: "Explore",
  edit: "Edit",
  verify: "Check",
  repair: "Fix",
  wait_person: "Waiting for a person",
  idle: "Idle",
  wrap_up: "Wrap-up",
} as const;

function troubleWords(failed: number, errors: number): string {
  const parts = [failed > 0 && `${failed} failed`, errors > 0 && formatCountOf(errors, "error")];
  return parts.filter((part) => part !== false).join(", ");
}

/** Phases of the run, one after another. */
export function Phases({ phases, count }: { phases: Analysis["phases"]; count: number }) {
  return (
    <Section title="Phases" count={count}>
      <Rows
        items={phases}
        count={count}
        keyOf={({ from }) => String(from)}
        render={({ kind, from, to, ms, calls, failed, errors, tokens }) => (
          <Row
            aside={
              <>
                {ms > 0 && <span>{formatDuration(ms, { precise: true })}</span>}
                {calls > 0 && <span>{formatCountOf(calls, "call")}</span>}
                {errors > 0 && <span>{troubleWords(failed, errors - failed)}</span>}
                {tokens !== null && <span>{formatCountOf(tokens, "token")}</span>}
                <StepRange from={from} to={to} />
              </>
            }
          >
            {phaseWords[kind]}
          </Row>
        )}
      />
    </Section>
  );
}
