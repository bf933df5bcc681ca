"use client";

import { type DehydratedState, HydrationBoundary, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { KeysHelp } from "#components/keys/keys-help.tsx";
import { OfflineBanner } from "#components/shell/offline-banner.tsx";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import type { SharedRun } from "#lib/contract/runs/shared-run.ts";
import { SharedRunView } from "./shared-run-view.tsx";

type SharePageProps = { token: string; run: SharedRun; state: DehydratedState };

/** A shared run, with the parts of the dashboard's shell that need no session. */
export function SharePage({ token, run, state }: SharePageProps) {
  const [client] = useState(() => makeQueryClient());
  return (
    <QueryClientProvider client={client}>
      <HydrationBoundary state={state}>
        <OfflineBanner />
        <KeysHelp />
        <SharedRunView token={token} run={run} />
      </HydrationBoundary>
    </QueryClientProvider>
  );
}
