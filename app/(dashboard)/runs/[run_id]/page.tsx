import { HydrationBoundary } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SwitchToRun } from "#components/session/switch-to-run.tsx";
import { NoPermissionState } from "#components/shell/page-states.tsx";
import { FailedRun } from "#components/trace/page/failed-run.tsx";
import { readFirstEntries, readRun } from "#components/trace/page/read-run-page.ts";
import { RunView } from "#components/trace/page/run-view.tsx";
import { toPassed } from "#lib/contract/exact-json.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { markInvisible } from "#lib/entry/visible-text.ts";

type RunPageProps = PageProps<"/runs/[run_id]">;

export async function generateMetadata({ params }: RunPageProps): Promise<Metadata> {
  const found = await readRun((await params).run_id);
  return { title: found.kind === "found" ? `#${found.run.id} ${markInvisible(runTitle(found.run.prompt))}` : "Run" };
}

export default async function RunPage({ params, searchParams }: RunPageProps) {
  const found = await readRun((await params).run_id);
  switch (found.kind) {
    case "elsewhere":
      return <SwitchToRun organization={found.organization} />;
    case "not-found":
      return notFound();
    case "forbidden":
      return <NoPermissionState detail={found.detail} />;
    case "failed":
      return <FailedRun detail={found.detail} requestId={found.requestId} />;
    case "found": {
      const state = await readFirstEntries(found.orgId, found.run, await searchParams);
      return (
        <HydrationBoundary state={state}>
          <RunView key={found.run.id} run={toPassed(found.run)} />
        </HydrationBoundary>
      );
    }
  }
}
