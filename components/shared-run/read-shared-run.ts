import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import { cache } from "react";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { clipCharacters, firstWindows, openingOf, windowSize } from "#components/trace/reader/log-windows.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { logsQuery } from "#lib/client/pages/log-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { offsetOf } from "#lib/client/pages/trace-source.ts";
import { call } from "#lib/client/request.ts";
import { anonymousTransport } from "#lib/client/server-transport.ts";
import type { SharedRun } from "#lib/contract/runs/shared-run.ts";

/** Data of a shared run's page, or the reason it cannot be shown. */
export type SharedRunOutcome =
  | { kind: "found"; run: SharedRun }
  | { kind: "not-found" }
  | { kind: "failed"; detail: string; requestId: string | null };

/** Reads the run of a link on the server, once per page, which counts as one view. */
export const readSharedRun = cache(async (token: string): Promise<SharedRunOutcome> => {
  try {
    const input = { params: { share_token: token }, query: { view: "true" } };
    return { kind: "found", run: await call("getSharedRun", input, anonymousTransport) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.status === 404) return { kind: "not-found" };
    return { kind: "failed", detail: error.message, requestId: error.requestId };
  }
});

/** Entries of the first screen, so that the first cards come with the page. `entry` is the `?entry=` of the address. */
export async function readFirstSharedEntries(
  token: string,
  run: SharedRun,
  entry: string | undefined,
): Promise<DehydratedState> {
  const client = makeQueryClient();
  const source = { kind: "share", shareToken: token, firstSeq: run.share.from_seq } as const;
  const shown = parseEntry(entry);
  const seq = shown === null ? null : Math.max(1, shown - offsetOf(source));
  const windows = firstWindows(openingOf(seq, isLive(run), run.total_logs), run.total_logs);
  await Promise.all(
    windows.map((skip) =>
      // Errors are not passed on: the browser requests the data again, and shows any error with a retry button.
      client.prefetchQuery({
        ...logsQuery(source, { skip, limit: windowSize, clip: clipCharacters }, anonymousTransport),
        retry: false,
      }),
    ),
  );
  return dehydrate(client);
}
