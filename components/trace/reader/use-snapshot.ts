import { useSyncExternalStore } from "react";

/** Something whose state is one object until something changes, and that tells of it. */
type Store<Snapshot> = { subscribe: (listener: () => void) => () => void; snapshot: Snapshot };

/** The present state of a store. */
export function useSnapshot<Snapshot>(store: Store<Snapshot>): Snapshot {
  const read = () => store.snapshot;
  return useSyncExternalStore(store.subscribe, read, read);
}
