"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { CommandLine } from "#components/page/command-line.tsx";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { agentsQuery } from "#lib/client/queries.ts";
import { AgentItem } from "./agent-item.tsx";

/** The agents of this installation: which are ready, what each can do, and what the others need. */
export function AgentsPage() {
  const { id: orgId } = useOrganization();
  return (
    <DashboardPage title="Agents">
      <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6">
        <LoadedPart asked={useQuery({ ...agentsQuery(orgId), refetchInterval: 15_000 })} what="the agents">
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title="No agents yet">The engine looks for agents when it starts.</EmptyState>
            ) : (
              <ul aria-label="Agents" className="grid gap-4">
                {items.map((agent) => (
                  <AgentItem key={agent.id} orgId={orgId} agent={agent} />
                ))}
              </ul>
            )
          }
        </LoadedPart>
        <Section
          id="own"
          title="An agent of your own"
          note={
            <>
              Any program that speaks the Agent Client Protocol over standard input and output can be an agent. Whoever
              runs Errand adds it to <code>agents.json</code> in the data folder, which is read again when it changes.
              Isolation and keys of agents are in{" "}
              <Link href="/settings/isolation" className="underline underline-offset-2">
                Isolation
              </Link>
              .
            </>
          }
        >
          <CommandLine command={example} label="Copy the example" />
        </Section>
      </div>
    </DashboardPage>
  );
}

const example = `{ "my-agent": { "title": "My agent", "command": ["/opt/my-agent/bin/agent", "--acp"] } }`;
