"use client";

import { formatCount } from "#components/shell/format-number.ts";
import { StepLink } from "#components/trace/reader/step-link.tsx";

/** A range of steps. */
export function StepRange({ from, to }: { from: number; to: number }) {
  if (from === to) return <StepLink seq={from} />;
  return (
    <span className="whitespace-nowrap">
      <StepLink seq={from} />–<StepLink seq={to} />
    </span>
  );
}

/** The first steps of a finding, and how many more there are. */
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
