import { timelineKeys } from "#components/keys/tab-key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";

export type TimelineKeys = {
  isShown: boolean;
  /** Twice as close, or half: `times` of what is shown. */
  onZoom: (times: number) => void;
  /** Sideways by a share of the view. */
  onPan: (share: number) => void;
  onReset: () => void;
  onStep: (way: 1 | -1) => void;
  /** False where nothing is pointed at: the key is for others then. */
  onOpen: () => boolean;
  onHideIdle: () => void;
  onLeave: () => void;
};

/** Actions of {@link timelineKeys}. */
export function useTimelineKeys(keys: TimelineKeys): void {
  useKeys(
    timelineKeys,
    (act, { shiftKey, target }) => {
      const share = shiftKey ? 0.9 : 0.2;
      if (act === "closer") keys.onZoom(0.5);
      else if (act === "farther") keys.onZoom(2);
      else if (act === "whole") keys.onReset();
      else if (act === "left") keys.onPan(-share);
      else if (act === "right") keys.onPan(share);
      else if (act === "next") keys.onStep(1);
      else if (act === "previous") keys.onStep(-1);
      else if (act === "idle") keys.onHideIdle();
      else if (act === "leave") keys.onLeave();
      // Elements that Enter itself activates take precedence.
      else return !(target instanceof Element && target.closest("a, button, summary") !== null) && keys.onOpen();
    },
    keys.isShown,
  );
}
