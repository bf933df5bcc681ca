import { useSyncExternalStore } from "react";
import { StoredChoice } from "#components/ui/stored-choice.ts";

type WhiteSpace = "shown" | "ignored";

const chosen = new StoredChoice<WhiteSpace>({
  key: "errand.diff-white-space",
  parse: (stored) => (stored === "ignored" ? stored : "shown"),
});

/** Whether diffs ignore changes of white space, and a setter. Stored in this browser. */
export function useWhiteSpace(): { isIgnored: boolean; setIgnored: (isIgnored: boolean) => void } {
  const value = useSyncExternalStore<WhiteSpace>(chosen.subscribe, chosen.read, () => "shown");
  return { isIgnored: value === "ignored", setIgnored: (isIgnored) => chosen.choose(isIgnored ? "ignored" : "shown") };
}
