import { timelineKeys } from "#components/keys/tab-key-tables.ts";
import { useKeys } from "#components/keys/use-keys.ts";

export type TimelineKeys = {
  isShown: boolean;
  /** Zooms: `times` is the new length of the view relative to the old. */
  onZoom: (times: number) => void;
  /** Moves the view sideways by a share of its length. */
  onPan: (share: number) => void;
  onReset: () => void;
  onStep: (way: 1 | -1) => void;
  /** Returns false if no item is selected, to leave the key to others. */
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
