"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatCount, formatCountOf } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";

type NewEntriesProps = { count: number; isLive: boolean; isAtEnd: boolean; onShow: () => void };

/** What came while the reader was elsewhere, and the way there. */
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

/** Screen readers are told at most this often. */
const TOLD_EVERY_MS = 3_000;

/** Tells screen readers how many steps came, politely: not each one, and nothing of what is in flight. */
export function NewEntriesAnnouncement({ totalLogs }: { totalLogs: number }) {
  const [told, setTold] = useState({ upTo: totalLogs, words: "" });
  const latest = useRef(totalLogs);
  useEffect(() => {
    latest.current = totalLogs;
  }, [totalLogs]);
  // Waiting begins with the first step that was not told yet; later ones are counted with it.
  const isBehind = totalLogs > told.upTo;
  useEffect(() => {
    if (!isBehind) return;
    const tell = () =>
      setTold(({ upTo }) => ({ upTo: latest.current, words: formatCountOf(latest.current - upTo, "new step") }));
    const timer = setTimeout(tell, TOLD_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return (
    <p role="status" className="sr-only">
      {told.words}
    </p>
  );
}
