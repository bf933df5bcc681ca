"use client";

import { useQuery } from "@tanstack/react-query";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { AgentItem } from "./agent-item.tsx";
import { OwnAgent } from "./own-agent.tsx";

/** The agents of this installation: which are ready, what each can do, and what the others need. */
export function AgentsPage() {
  const { id: orgId } = useOrganization();
  return (
    <DashboardPage title="Agents">
      <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6">
        <LoadedPart query={useQuery({ ...agentsQuery(orgId), refetchInterval: 15_000 })} what="the agents">
          {({ items, file_problem }) => (
            <>
              {file_problem !== null && <FileProblem problem={file_problem} />}
              {items.length === 0 ? (
                <EmptyState title="No agents yet">The engine looks for agents when it starts.</EmptyState>
              ) : (
                <ul aria-label="Agents" className="grid gap-4">
                  {items.map((agent) => (
                    <AgentItem key={agent.id} orgId={orgId} agent={agent} />
                  ))}
                </ul>
              )}
            </>
          )}
        </LoadedPart>
        <OwnAgent />
      </div>
    </DashboardPage>
  );
}

function FileProblem({ problem }: { problem: string }) {
  return (
    <Alert variant="error">
      <AlertTitle>agents.json is not used</AlertTitle>
      <AlertDescription className="[overflow-wrap:anywhere]">
        {problem.replace(/\.?$/, ".")} Until it is corrected, its last valid version applies.
      </AlertDescription>
    </Alert>
  );
}
