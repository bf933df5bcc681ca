"use client";

import { useQuery } from "@tanstack/react-query";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { toastFailure } from "#components/page/toast-failure.ts";
import { useRefusal } from "#components/session/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { InlineField } from "#components/ui/field.tsx";
import { Switch } from "#components/ui/switch.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { isolationQuery } from "#lib/client/pages/isolation-queries.ts";
import { useChangeSettings } from "#lib/client/pages/organization-mutations.ts";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { groupByKeeping } from "./agents-kept.ts";

/** Isolation of each agent with its reason, and whether the organization requires the wall. */
export function AgentsSection({ orgId }: { orgId: number }) {
  const agents = useQuery(agentsQuery(orgId));
  const machine = useQuery(isolationQuery(orgId)).data?.machine;
  return (
    <Section
      id="agents"
      title="Agents"
      note="Behind the wall an agent sees only its checkout, a home of its own and the system's programs. Without the wall, an agent is not isolated; Errand only stops its processes when its turn ends."
    >
      <LoadedPart query={agents} what="the agents">
        {({ items }) => (
          <>
            <Groups agents={items} why={machine?.why ?? null} />
            <RequireWall orgId={orgId} agents={items} />
          </>
        )}
      </LoadedPart>
    </Section>
  );
}

/** `why` the wall does not work is shown above and not repeated here. */
function Groups({ agents, why }: { agents: readonly Agent[]; why: string | null }) {
  if (agents.length === 0) {
    return <p className="text-muted-foreground text-sm">Not known yet. The engine looks for them when it starts.</p>;
  }
  return (
    <ul aria-label="How agents are isolated" className="border-border border-t">
      {groupByKeeping(agents).map(({ isolation, reason, agents: alike }) => (
        <li
          key={`${isolation} ${reason}`}
          className="grid items-baseline gap-x-4 gap-y-1 border-border border-b py-2 text-sm md:grid-cols-[7.5rem_minmax(0,1fr)]"
        >
          <span>
            {isolation === "wall" ? (
              <Badge variant="completed">Behind the wall</Badge>
            ) : (
              <Badge variant="waiting">Not isolated</Badge>
            )}
          </span>
          <div className="grid min-w-0 gap-0.5">
            <span>{alike.map(({ title }) => title).join(", ")}</span>
            {reason !== null && (
              <span className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
                {why !== null && reason.includes(why) ? "The wall does not work on this machine." : reason}
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function RequireWall({ orgId, agents }: { orgId: number; agents: readonly Agent[] }) {
  const mayChange = useRefusal("org:admin") === null;
  return (
    <LoadedPart query={useQuery(settingsQuery(orgId))} what="the settings of the organization">
      {({ require_wall: isRequired }) =>
        mayChange ? (
          <RequireWallSwitch {...{ orgId, agents, isRequired }} />
        ) : (
          <p className="text-sm">
            {isRequired
              ? "This organization requires the wall: a run that cannot work behind it fails before its agent starts."
              : "This organization does not require the wall."}
          </p>
        )
      }
    </LoadedPart>
  );
}

type RequireWallSwitchProps = { orgId: number; agents: readonly Agent[]; isRequired: boolean };

function RequireWallSwitch({ orgId, agents, isRequired }: RequireWallSwitchProps) {
  const change = useChangeSettings(orgId);
  const barred = agents.filter(({ wall_problem }) => wall_problem !== null).map(({ title }) => title);
  const set = (next: boolean) => {
    if (change.isPending) return;
    change.mutate(
      { require_wall: next },
      {
        onSuccess: () => toast({ title: next ? "The wall is required" : "The wall is no longer required" }),
        onError: toastFailure("The setting could not be changed"),
      },
    );
  };
  return (
    <InlineField
      label="Require the wall"
      hint={
        <>
          A run that cannot work behind the wall fails before its agent starts, and the error says how to fix it.
          {barred.length > 0 &&
            ` ${isRequired ? "These agents cannot start now" : "If you turn this on, these agents cannot start now"}: ${barred.join(", ")}.`}
        </>
      }
    >
      <Switch
        checked={change.isPending ? (change.variables.require_wall ?? isRequired) : isRequired}
        aria-disabled={change.isPending}
        onCheckedChange={set}
      />
    </InlineField>
  );
}
