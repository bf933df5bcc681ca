import { useSyncExternalStore } from "react";

/** A store whose state keeps its identity until something changes. */
type Store<Snapshot> = { subscribe: (listener: () => void) => () => void; snapshot: Snapshot };

/** The current state of a store. */
export function useSnapshot<Snapshot>(store: Store<Snapshot>): Snapshot {
  const read = () => store.snapshot;
  return useSyncExternalStore(store.subscribe, read, read);
}
