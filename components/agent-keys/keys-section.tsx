"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { LoadedPart, Section } from "#components/page/loaded-part.tsx";
import { RelativeTime } from "#components/shell/relative-time.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { keysQuery, type Place } from "#lib/client/pages/isolation-queries.ts";
import { agentsQuery, repositoryQuery } from "#lib/client/pages/queries.ts";
import type { AgentKey } from "#lib/contract/repositories/agent-key.ts";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { AddKey } from "./add-key.tsx";
import { DeleteKeyDialog } from "./delete-key-dialog.tsx";

const note =
  "Stored encrypted and never shown again. Behind the wall an agent never holds its key: it gets a placeholder, which its run's proxy replaces with the key.";

/** Keys for agents: the organization's and those of all repositories, or only the keys that runs on one repository use. */
export function KeysSection({ orgId, repoId }: Place) {
  const [deleted, setDeleted] = useState<AgentKey | null>(null);
  const agents = useQuery(agentsQuery(orgId)).data?.items ?? [];
  return (
    <Section id="keys" title="Keys for agents" note={note}>
      <LoadedPart query={useQuery(keysQuery(orgId))} what="the keys">
        {({ items }) => {
          const shown = items.filter(({ repository_id }) => repoId === null || repository_id === repoId);
          const others = repoId === null ? [] : items.filter(({ repository_id }) => repository_id === null);
          return (
            <>
              {shown.length === 0 ? (
                <p className="text-muted-foreground text-sm">
                  {repoId === null
                    ? "No keys saved. Agents use the keys in Errand's environment, and the sign-ins of the user Errand runs as."
                    : "No keys for this repository."}
                </p>
              ) : (
                <ul aria-label="Keys" className="border-border border-t">
                  {shown.map((key) => (
                    <KeyRow
                      key={key.id}
                      {...{ orgId, agents, kept: key }}
                      isOfOne={repoId !== null}
                      onDelete={setDeleted}
                    />
                  ))}
                </ul>
              )}
              {others.length > 0 && (
                <p className="text-[13px] text-muted-foreground">
                  From the organization: {others.map(({ variable }) => variable).join(", ")}. A key set for this
                  repository overrides the organization's.
                </p>
              )}
              <AddKey {...{ orgId, repoId, agents }} />
            </>
          );
        }}
      </LoadedPart>
      {deleted !== null && <DeleteKeyDialog orgId={orgId} kept={deleted} onClose={() => setDeleted(null)} />}
    </Section>
  );
}

type KeyRowProps = {
  orgId: number;
  agents: readonly Agent[];
  kept: AgentKey;
  isOfOne: boolean;
  onDelete: (key: AgentKey) => void;
};

function KeyRow({ orgId, agents, kept, isOfOne, onDelete }: KeyRowProps) {
  const { variable, repository_id, changed_at, problem, warning } = kept;
  const users = agents.filter(({ keys }) => keys.includes(variable)).map(({ title }) => title);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-border border-b py-2">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-2">
          <code className="text-[13px] [overflow-wrap:anywhere]">{variable}</code>
          {problem !== null && <Badge variant="failed">Unreadable</Badge>}
        </p>
        {problem !== null && (
          <p className="text-[13px] [overflow-wrap:anywhere]">
            No agent gets this key. Restore the <code>secret.key</code> file that was in use when it was saved, or save
            the key again.
          </p>
        )}
        {warning !== null && <p className="text-[13px]">{warning}</p>}
        <p className="flex flex-wrap gap-x-2 text-[13px] text-muted-foreground">
          <span>{users.length === 0 ? "No agent here uses it" : users.join(", ")}</span>
          {!isOfOne &&
            (repository_id === null ? <span>all runs</span> : <OfRepository orgId={orgId} repoId={repository_id} />)}
          <span>
            set <RelativeTime at={changed_at} />
          </span>
        </p>
      </div>
      <Button variant="outline" size="sm" aria-label={`Delete ${variable}`} onClick={() => onDelete(kept)}>
        Delete
      </Button>
    </li>
  );
}

function OfRepository({ orgId, repoId }: { orgId: number; repoId: number }) {
  const name = useQuery(repositoryQuery(orgId, repoId)).data?.full_name ?? `repository ${repoId}`;
  return (
    <span className="min-w-0">
      runs on{" "}
      <Link
        href={`/repositories/${repoId}`}
        prefetch={false}
        className="underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {name}
      </Link>
    </span>
  );
}
