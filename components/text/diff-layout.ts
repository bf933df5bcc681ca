import { useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";
import { diffLayoutStorageKey } from "./diff-layout-script.ts";

/** Layout of diffs if there is room: unified, or side by side. */
export type DiffLayout = "unified" | "side-by-side";

const chosen = new StoredChoice<DiffLayout>({
  key: diffLayoutStorageKey,
  parse: (stored) => (stored === "side-by-side" ? stored : "unified"),
});

/**
 * The reader's layout for all diffs, and a setter. The server's HTML is unified, and the choice is unknown until hydration
 * (`isKnown` false).
 */
export function useDiffLayout(): {
  layout: DiffLayout;
  isKnown: boolean;
  setLayout: (layout: DiffLayout) => void;
} {
  const layout = useSyncExternalStore<DiffLayout | null>(chosen.subscribe, chosen.read, () => null);
  return { layout: layout ?? "unified", isKnown: layout !== null, setLayout: chosen.choose };
}
