"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";

type NewEntriesProps = { count: number; isLive: boolean; isAtEnd: boolean; onShow: () => void };

/** Number of new entries since the reader left the end, and a button to go there. */
export function NewEntriesButton({ count, isLive, isAtEnd, onShow }: NewEntriesProps) {
  if (isAtEnd || (count === 0 && !isLive)) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
      <Button
        variant="outline"
        size="sm"
        className="pointer-events-auto rounded-full bg-popover px-3 shadow-sm"
        onClick={onShow}
      >
        <ArrowDown aria-hidden />
        {count === 0 ? "Latest" : `${formatCount(count)} new`}
      </Button>
    </div>
  );
}

/** Minimum interval between announcements to screen readers. */
const TOLD_EVERY_MS = 3_000;

/** Announces the number of new steps to screen readers, politely: not each one, and not progress. */
export function NewEntriesAnnouncement({ totalLogs }: { totalLogs: number }) {
  const [announced, setAnnounced] = useState({ upTo: totalLogs, words: "" });
  const latest = useRef(totalLogs);
  useEffect(() => {
    latest.current = totalLogs;
  }, [totalLogs]);
  // The interval starts with the first unannounced step; later ones are counted with it.
  const isBehind = totalLogs > announced.upTo;
  useEffect(() => {
    if (!isBehind) return;
    const tell = () =>
      setAnnounced(({ upTo }) => ({ upTo: latest.current, words: formatCountOf(latest.current - upTo, "new step") }));
    const timer = setTimeout(tell, TOLD_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <p role="status" className="sr-only">
      {announced.words}
    </p>
  );
}
