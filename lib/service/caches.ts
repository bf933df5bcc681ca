import { FindSessions } from "#lib/search/find-sessions.ts";
import type { Store } from "#lib/store/store.ts";
import { FilterCache } from "./filter-cache.ts";
import { PageCache } from "./page-cache.ts";
import { StepCache } from "./timeline/step-cache.ts";
import { SweepCache } from "./timeline/sweep-cache.ts";

/** Everything a process caches of a store; each part is bounded. */
export type Caches = {
  pages: PageCache;
  filters: FilterCache;
  finds: FindSessions;
  steps: StepCache;
  sweeps: SweepCache;
};

/** Empty caches of a store. */
export function createCaches(store: Store): Caches {
  return {
    pages: new PageCache(),
    filters: new FilterCache(),
    finds: new FindSessions(),
    steps: new StepCache(store),
    sweeps: new SweepCache(),
  };
}
