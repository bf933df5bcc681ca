"use client";

import { createContext, type MouseEvent, useContext } from "react";
import { formatCount } from "#components/shell/format-number.ts";

/** Goes to a step in the Trace tab. */
export const GoToStepContext = createContext<(seq: number) => void>(() => undefined);

/** The way to a step: a link of its own, which a plain click follows without loading the page again. */
export function StepLink({ seq }: { seq: number }) {
  const goTo = useContext(GoToStepContext);
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    goTo(seq);
  };
  return (
    <a
      href={`?entry=${seq}`}
      aria-label={`Step ${seq}`}
      onClick={onClick}
      className="whitespace-nowrap rounded-sm text-link tabular-nums underline-offset-2 hover:underline"
    >
      #{formatCount(seq)}
    </a>
  );
}

/** A stretch of steps, by its ends. */
export function StepRange({ from, to }: { from: number; to: number }) {
  if (from === to) return <StepLink seq={from} />;
  return (
    <span className="whitespace-nowrap">
      <StepLink seq={from} />–<StepLink seq={to} />
    </span>
  );
}

/** The first steps of a finding; how many more there are is told. */
export function StepLinks({
  seqs,
  count = seqs.length,
  max = 5,
}: {
  seqs: readonly number[];
  count?: number;
  max?: number;
}) {
  const shown = seqs.slice(0, max);
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2 text-[13px]">
      {shown.map((seq) => (
        <StepLink key={seq} seq={seq} />
      ))}
      {count > shown.length && <span className="text-muted-foreground">+{formatCount(count - shown.length)}</span>}
    </span>
  );
}
