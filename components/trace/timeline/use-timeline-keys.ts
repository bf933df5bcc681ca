import { usePageKeys } from "#components/ui/use-page-keys.ts";

export type TimelineKeys = {
  isShown: boolean;
  /** Twice as close, or half: `times` of what is shown. */
  onZoom: (times: number) => void;
  /** To the side by a share of the view. */
  onPan: (share: number) => void;
  onReset: () => void;
  onStep: (way: 1 | -1) => void;
  /** False where nothing is pointed at: the key is for others then. */
  onOpen: () => boolean;
  onHideIdle: () => void;
  onShowKeys: () => void;
  onLeave: () => void;
};

/**
 * + and - look closer and from farther away, 0 shows all, arrows move, j and k point at the next and the previous step, Enter opens it,
 * h hides idle time, ? shows the keys. Not while typing or in a dialog.
 */
export function useTimelineKeys(keys: TimelineKeys): void {
  usePageKeys((event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isForOthers(event)) return;
    if (press(event, keys)) event.preventDefault();
  }, keys.isShown);
}

/** Does what a key is for; false for all others. */
function press({ key, shiftKey }: KeyboardEvent, keys: TimelineKeys): boolean {
  const share = shiftKey ? 0.9 : 0.2;
  if (key === "+" || key === "=") keys.onZoom(0.5);
  else if (key === "-" || key === "_") keys.onZoom(2);
  else if (key === "0") keys.onReset();
  else if (key === "ArrowLeft") keys.onPan(-share);
  else if (key === "ArrowRight") keys.onPan(share);
  else if (key === "j") keys.onStep(1);
  else if (key === "k") keys.onStep(-1);
  else if (key === "h") keys.onHideIdle();
  else if (key === "?") keys.onShowKeys();
  else if (key === "Escape") keys.onLeave();
  else return key === "Enter" && keys.onOpen();
  return true;
}

/** Text that is typed, dialogs, and Enter on what is opened by it. */
function isForOthers({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  const theirs = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], [role=tree]";
  if (target.closest(theirs) !== null || document.querySelector("[role=dialog]") !== null) return true;
  return key === "Enter" && target.closest("a, button, summary") !== null;
}
