"use client";

import { type ReactNode, useId, useState } from "react";
import { formatCount } from "#components/shell/format-number.ts";
import { FoldButton } from "#components/text/fold-button.tsx";

type SectionProps = {
  title: string;
  /** Total number; omitted if it adds nothing. */
  count?: number;
  note?: ReactNode;
  children: ReactNode;
};

/** One kind of finding. */
export function Section({ title, count, note, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        {count !== undefined && (
          <span className="text-muted-foreground text-xs tabular-nums">{formatCount(count)}</span>
        )}
        {note !== undefined && <span className="text-[13px] text-muted-foreground">{note}</span>}
      </div>
      {children}
    </section>
  );
}

type RowsProps<Item> = {
  items: readonly Item[];
  keyOf: (item: Item) => string;
  render: (item: Item) => ReactNode;
  /** Number shown at first. */
  first?: number;
  /** Total number, if the list holds only the first of them. */
  count?: number;
};

/** A list with separators; a long one is folded at first. */
export function Rows<Item>({ items, keyOf, render, first = 6, count = items.length }: RowsProps<Item>) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? items : items.slice(0, first);
  return (
    <div className="min-w-0 rounded-lg border border-border">
      <ul>
        {shown.map((item) => (
          <li key={keyOf(item)} className="border-border border-b px-3 py-1.5 last:border-b-0">
            {render(item)}
          </li>
        ))}
      </ul>
      {items.length > first && (
        <div className="border-border border-t">
          <FoldButton isOpen={isOpen} label={showWords(items.length, count)} onChange={setOpen} className="my-0.5" />
        </div>
      )}
    </div>
  );
}

function showWords(held: number, count: number): string {
  return held < count ? `Show ${formatCount(held)} of ${formatCount(count)}` : `Show all ${formatCount(held)}`;
}

/** A row: its subject, with figures or links on the right, which wrap below if there is no room. */
export function Row({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-3 gap-y-0.5">
      <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">{children}</div>
      {aside !== undefined && (
        <div className="flex flex-wrap items-baseline gap-x-3 text-[13px] text-muted-foreground tabular-nums">
          {aside}
        </div>
      )}
    </div>
  );
}
