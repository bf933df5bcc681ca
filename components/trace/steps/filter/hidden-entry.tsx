import { X } from "lucide-react";
import { formatCount } from "#components/shell/format-number.ts";
import { useSeqOffset } from "#components/trace/reader/trace-context.tsx";
import { Button } from "#components/ui/button.tsx";

type HiddenEntryProps = { seq: number; onShow: () => void; onClose: () => void };

/** Says that the filter hides the requested entry, and offers to show it. */
export function HiddenEntry({ seq, onShow, onClose }: HiddenEntryProps) {
  const offset = useSeqOffset();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-border border-b bg-muted px-4 py-1 text-[13px]"
    >
      <span>Step {formatCount(seq + offset)} is hidden by the filter.</span>
      <Button variant="outline" size="sm" onClick={onShow}>
        Show it among all steps
      </Button>
      <Button variant="ghost" size="icon-sm" aria-label="Dismiss" className="ml-auto" onClick={onClose}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
