import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query";
import { ClientError } from "#lib/client/client-error.ts";
import { fromPassed, toPassed } from "#lib/contract/exact-json.ts";

const RETRIES_MAX = 2;
const RETRY_MS_MAX = 10_000;

/**
 * The query cache of a page, or of one server render. `onSignedOut` is called when a response says that the session has ended.
 * Queries run even if the browser believes it is offline: the server may be on the same machine.
 */
export function makeQueryClient(onSignedOut: () => void = () => {}): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof ClientError && error.status === 401) onSignedOut();
  };
  // Changes to the cache are rendered with everything else changed in the same task, not a task and a frame later.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 5_000,
        retry: (failures, error) => failures < RETRIES_MAX && error instanceof ClientError && error.isTransient,
        retryDelay: (failures, error) =>
          Math.min(RETRY_MS_MAX, (error instanceof ClientError && error.retryAfterMs) || 500 * 2 ** failures),
      },
      mutations: { networkMode: "always" },
      dehydrate: { serializeData: toPassed },
      hydrate: { deserializeData: fromPassed },
    },
  });
}
