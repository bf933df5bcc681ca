"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { RefObject } from "react";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { isUnfiltered, noFilter, type RunFilter } from "#lib/client/pages/run-filter.ts";
import { externalAgent, setupAgent } from "#lib/contract/runs/agent-ids.ts";
import { StatusFilter } from "./status-filter.tsx";
import type { FilterChange } from "./use-run-filter.ts";
import { useTypedText } from "./use-typed-text.ts";

const TYPING_PAUSE_MS = 250;

type RunFiltersProps = {
  orgId: number;
  filter: RunFilter;
  onChange: (filter: RunFilter, how?: FilterChange) => void;
  searchRef: RefObject<HTMLInputElement | null>;
};

/** Filters of the list, in one line: text, status, repository, agent. */
export function RunFilters({ orgId, filter, onChange, searchRef }: RunFiltersProps) {
  return (
    // No submit button: every change takes effect at once.
    <search aria-label="Runs" className="flex min-w-0 flex-col gap-2 md:flex-row md:items-center">
      <TextFilter
        text={filter.text}
        onChange={(text) => onChange({ ...filter, text }, "replace")}
        inputRef={searchRef}
      />
      <div className="-mx-4 flex gap-2 overflow-x-auto px-4 py-px [scrollbar-width:none] md:mx-0 md:px-0">
        <StatusFilter statuses={filter.statuses} onChange={(statuses) => onChange({ ...filter, statuses })} />
        <RepositoryFilter orgId={orgId} repoId={filter.repoId} onChange={(repoId) => onChange({ ...filter, repoId })} />
        <AgentFilter orgId={orgId} agent={filter.agent} onChange={(agent) => onChange({ ...filter, agent })} />
        {!isUnfiltered(filter) && (
          <Button variant="ghost" onClick={() => onChange(noFilter)}>
            <X aria-hidden /> Clear
          </Button>
        )}
      </div>
    </search>
  );
}

type TextFilterProps = {
  text: string;
  onChange: (text: string) => void;
  inputRef: RefObject<HTMLInputElement | null>;
};

function TextFilter({ text, onChange, inputRef }: TextFilterProps) {
  const [typed, setTyped] = useTypedText(text, onChange, TYPING_PAUSE_MS);

  return (
    <SearchInput
      ref={inputRef}
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
      maxLength={200}
      aria-label="Search in prompts"
      aria-keyshortcuts="/"
      placeholder="Search prompts"
      boxClassName="w-full md:w-64"
    />
  );
}

const ANY = "";

const chipClasses = (isSet: boolean) => cn("w-auto max-w-56 shrink-0", isSet && "border-foreground font-medium");

type RepositoryFilterProps = { orgId: number; repoId: number | null; onChange: (repoId: number | null) => void };

/** Filter by repository. */
export function RepositoryFilter({ orgId, repoId, onChange }: RepositoryFilterProps) {
  const { options, search } = useRepositoryOptions(orgId, repoId);
  return (
    <Combobox
      aria-label="Repository"
      value={repoId === null ? ANY : String(repoId)}
      onValueChange={(value) => onChange(value === ANY ? null : Number(value))}
      options={[{ value: ANY, label: "Any repository", isNone: true }, ...options]}
      {...search}
      className={chipClasses(repoId !== null)}
    />
  );
}

type AgentFilterProps = { orgId: number; agent: string | null; onChange: (agent: string | null) => void };

/** Runs that no agent of the list works on. */
const otherAgents = [
  { value: externalAgent, label: "External: reported by other systems", keywords: ["external"] },
  { value: setupAgent, label: "Setup of repositories", keywords: ["setup"] },
];

/** Filter by agent. */
export function AgentFilter({ orgId, agent, onChange }: AgentFilterProps) {
  const agents = useQuery(agentsQuery(orgId));
  return (
    <Combobox
      aria-label="Agent"
      value={agent ?? ANY}
      onValueChange={(value) => onChange(value === ANY ? null : value)}
      options={[
        { value: ANY, label: "Any agent", isNone: true },
        ...(agents.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title, keywords: [id] })),
        ...otherAgents,
      ]}
      loading={agents.isPending}
      searchPlaceholder="Find an agent"
      className={chipClasses(agent !== null)}
    />
  );
}
