import { FindSessions } from "#lib/search/find-sessions.ts";
import type { Store } from "#lib/store/store.ts";
import { KeptDescription } from "./description.ts";
import { FilterCache } from "./filter-cache.ts";
import { PageCache } from "./page-cache.ts";
import { KeptSteps } from "./timeline/kept-steps.ts";
import { KeptSweeps } from "./timeline/kept-sweeps.ts";

/** What a process keeps of a store, so that it need not be read or searched again; each part is bounded. */
export type Caches = {
  pages: PageCache;
  filters: FilterCache;
  finds: FindSessions;
  steps: KeptSteps;
  sweeps: KeptSweeps;
  description: KeptDescription;
};

/** The caches of a store, empty. */
export function createCaches(store: Store): Caches {
  return {
    pages: new PageCache(),
    filters: new FilterCache(),
    finds: new FindSessions(),
    steps: new KeptSteps(store),
    sweeps: new KeptSweeps(),
    description: new KeptDescription(),
  };
}
