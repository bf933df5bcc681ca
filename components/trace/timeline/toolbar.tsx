import { Minus, Plus } from "lucide-react";
import { formatDuration } from "#components/shell/format-time.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { offsetLabel } from "./time-ticks.ts";
import type { Range } from "./timeline-data.ts";

type ToolbarProps = {
  view: Range;
  whole: Range;
  isWhole: boolean;
  startedAt: number;
  /** Idle time that can be hidden, in ms. */
  idleMs: number;
  hidesIdle: boolean;
  onHideIdle: (hides: boolean) => void;
  onZoom: (times: number) => void;
  onReset: () => void;
};

/** The part of the run shown, and buttons to change it. */
export function Toolbar(props: ToolbarProps) {
  const { view, whole, isWhole, startedAt, idleMs, hidesIdle, onHideIdle, onZoom, onReset } = props;
  const inWords = (ms: number) => formatDuration(ms, { precise: true });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="min-w-0 tabular-nums">
        {isWhole ? (
          <>
            <span className="font-medium">The whole run</span>
            <span className="text-muted-foreground"> · {inWords(whole.to - whole.from)}</span>
          </>
        ) : (
          <>
            <span className="font-medium">
              {offsetLabel(view.from - startedAt, view.to - view.from)} –{" "}
              {offsetLabel(view.to - startedAt, view.to - view.from)}
            </span>
            <span className="text-muted-foreground">
              {" "}
              · {inWords(view.to - view.from)} of {inWords(whole.to - whole.from)}
            </span>
          </>
        )}
      </p>
      <div className="ml-auto flex items-center gap-3">
        {(idleMs > 0 || hidesIdle) && (
          <label className="flex items-center gap-2 text-[13px]" htmlFor="timeline-hide-idle">
            <Switch id="timeline-hide-idle" checked={hidesIdle} onCheckedChange={onHideIdle} />
            Hide idle
          </label>
        )}
        <div className="flex items-center">
          <IconButton label="Zoom out" shortcut="−" disabled={isWhole} onClick={() => onZoom(2)}>
            <Minus />
          </IconButton>
          <IconButton label="Zoom in" shortcut="+" onClick={() => onZoom(0.5)}>
            <Plus />
          </IconButton>
          <Button variant="ghost" disabled={isWhole} onClick={onReset}>
            Whole run
          </Button>
        </div>
      </div>
    </div>
  );
}
