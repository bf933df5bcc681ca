import { type DehydratedState, dehydrate } from "@tanstack/react-query";
import { cache } from "react";
import { requireSession } from "#components/session/read-session.ts";
import { parseEntry } from "#components/trace/reader/address-bar.ts";
import { clipCharacters, firstWindows, openingOf, windowSize } from "#components/trace/reader/log-windows.ts";
import { isUnfilteredTrace, parseTraceFilter } from "#components/trace/reader/trace-filter.ts";
import { ClientError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import { logsQuery } from "#lib/client/pages/log-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { queueQuery } from "#lib/client/pages/queue-queries.ts";
import { runQuery } from "#lib/client/pages/run-queries.ts";
import { call, type Transport } from "#lib/client/request.ts";
import type { Run } from "#lib/contract/runs/run.ts";

/** Data of a run's page, or the reason it cannot be shown: `elsewhere` is another organization of the person. */
export type RunOutcome =
  | { kind: "found"; run: Run; orgId: number }
  | { kind: "elsewhere"; organization: { id: number; name: string } }
  | { kind: "not-found" }
  | { kind: "forbidden"; detail: string }
  | { kind: "failed"; detail: string; requestId: string | null };

/** Reads the run of an address on the server, once per page. Redirects to the sign-in page if nobody is signed in. */
export const readRun = cache(async (written: string): Promise<RunOutcome> => {
  const { organization, organizations, transport } = await requireSession(`/runs/${encodeURIComponent(written)}`);
  if (!/^[1-9]\d{0,14}$/.test(written)) return { kind: "not-found" };
  const client = makeQueryClient();
  try {
    const run = await client.fetchQuery({ ...runQuery(organization.id, Number(written), transport), retry: false });
    return { kind: "found", run, orgId: organization.id };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.status === 404) {
      return organizations.length > 1 ? await findElsewhere(Number(written), transport) : { kind: "not-found" };
    }
    if (error.status === 403) return { kind: "forbidden", detail: error.message };
    return { kind: "failed", detail: error.message, requestId: error.requestId };
  }
});

async function findElsewhere(runId: number, transport: Transport): Promise<RunOutcome> {
  try {
    const organization = await call("findRunOrganization", { params: { agent_run_id: runId } }, transport);
    return { kind: "elsewhere", organization: { id: organization.id, name: organization.name } };
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return { kind: "not-found" };
    throw error;
  }
}

type Search = Record<string, string | string[] | undefined>;

/** Entries of the first screen, so that the first cards come with the page. None for a filtered address. */
export async function readFirstEntries(orgId: number, run: Run, search: Search): Promise<DehydratedState> {
  const { transport } = await requireSession(`/runs/${run.id}`);
  const client = makeQueryClient();
  // Waiting turns come with the page: for a queued run, its prompt.
  if (run.queued_turns > 0) await client.prefetchQuery({ ...queueQuery(orgId, run, transport), retry: false });
  const address = new URLSearchParams(
    Object.entries(search).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
  );
  if (!isUnfilteredTrace(parseTraceFilter(address))) return dehydrate(client);
  const opening = openingOf(parseEntry(address.get("entry")), isLive(run), run.total_logs);
  const windows = firstWindows(opening, run.total_logs);
  await Promise.all(
    windows.map((skip) =>
      // Errors are not passed on: the browser requests the data again, and shows any error with a retry button.
      client.prefetchQuery({
        ...logsQuery(
          { kind: "run", orgId, runId: run.id },
          { skip, limit: windowSize, clip: clipCharacters },
          transport,
        ),
        retry: false,
      }),
    ),
  );
  return dehydrate(client);
}
