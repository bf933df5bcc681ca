"use client";

import { X } from "lucide-react";
import { type RefObject, useEffect } from "react";
import { AgentFilter, RepositoryFilter } from "#components/runs/run-filters.tsx";
import { StatusFilter } from "#components/runs/status-filter.tsx";
import { useTypedText } from "#components/runs/use-typed-text.ts";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { isUnfiltered, noFilter } from "#lib/client/pages/run-filter.ts";
import { type SearchAge, type SearchFilter, searchAges } from "#lib/client/pages/search-filter.ts";

/** Delay after typing before searching. */
const TYPING_PAUSE_MS = 200;

type SearchFiltersProps = {
  orgId: number;
  filter: SearchFilter;
  onChange: (filter: SearchFilter, how: "push" | "replace") => void;
  field: RefObject<HTMLInputElement | null>;
};

/** The search words, and which runs to search. */
export function SearchFilters({ orgId, filter, onChange, field }: SearchFiltersProps) {
  const { statuses, repoId, agent, age, text } = filter;
  const choose = (part: Partial<SearchFilter>) => onChange({ ...filter, ...part }, "push");
  const isFiltered = age !== null || !isUnfiltered({ statuses, repoId, agent, text: "" });
  return (
    <search aria-label="All runs" className="grid min-w-0 gap-2">
      <WordsField text={text} onChange={(words) => onChange({ ...filter, text: words }, "replace")} field={field} />
      <div className="-mx-4 flex gap-2 overflow-x-auto px-4 py-px [scrollbar-width:none] md:mx-0 md:px-0">
        <StatusFilter statuses={statuses} onChange={(next) => choose({ statuses: next })} />
        <RepositoryFilter orgId={orgId} repoId={repoId} onChange={(next) => choose({ repoId: next })} />
        <AgentFilter orgId={orgId} agent={agent} onChange={(next) => choose({ agent: next })} />
        <AgeFilter age={age} onChange={(next) => choose({ age: next })} />
        {isFiltered && (
          <Button variant="ghost" onClick={() => choose({ ...noFilter, text, age: null })}>
            <X aria-hidden /> Clear
          </Button>
        )}
      </div>
    </search>
  );
}

type WordsFieldProps = { text: string; onChange: (text: string) => void; field: RefObject<HTMLInputElement | null> };

function WordsField({ text, onChange, field }: WordsFieldProps) {
  const [typed, setTyped] = useTypedText(text, onChange, TYPING_PAUSE_MS);
  useEffect(() => {
    if (field.current?.value === "") field.current.focus();
  }, [field]);
  return (
    <SearchInput
      ref={field}
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      maxLength={200}
      aria-label="Search in all runs"
      aria-keyshortcuts="/"
      autoComplete="off"
      spellCheck={false}
      placeholder="Search thoughts, commands, output and files"
      className="h-10 text-base"
    />
  );
}

const ANY = "";
const ageLabels: Record<SearchAge, string> = {
  day: "Past day",
  week: "Past week",
  month: "Past month",
  year: "Past year",
};

function AgeFilter({ age, onChange }: { age: SearchAge | null; onChange: (age: SearchAge | null) => void }) {
  return (
    <Combobox
      aria-label="Date"
      value={age ?? ANY}
      onValueChange={(value) => onChange(searchAges.find((known) => known === value) ?? null)}
      options={[
        { value: ANY, label: "Any time", isNone: true },
        ...searchAges.map((value) => ({ value, label: ageLabels[value] })),
      ]}
      className={`w-auto shrink-0 ${age === null ? "" : "border-foreground font-medium"}`}
    />
  );
}
