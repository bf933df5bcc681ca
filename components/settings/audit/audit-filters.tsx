"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { FilterChange } from "#components/runs/use-run-filter.ts";
import { useTypedText } from "#components/runs/use-typed-text.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { Input } from "#components/ui/input.tsx";
import { type AuditSearch, auditSearchQuery, dayOf, wholeAudit } from "#lib/client/pages/audit-search.ts";
import { peopleQuery } from "#lib/client/pages/people-queries.ts";
import { auditActNames, auditActs } from "#lib/contract/people/audit-acts.ts";

const ANY = "";
const TYPING_PAUSE_MS = 250;

type AuditFiltersProps = {
  orgId: number;
  search: AuditSearch;
  onChange: (change: Partial<AuditSearch>, how?: FilterChange) => void;
};

/** Filters of the records: who, what, from and to which day. */
export function AuditFilters({ orgId, search, onChange }: AuditFiltersProps) {
  const people = useQuery(peopleQuery(orgId));
  const named = (people.data?.items ?? []).map(({ id, full_name, email }) => ({
    value: String(id),
    label: full_name ?? email ?? `Person ${id}`,
    description: email ?? undefined,
  }));
  return (
    <search aria-label="Audit log" className="flex flex-wrap items-center gap-2 max-md:grid max-md:grid-cols-2">
      <Combobox
        aria-label="Who"
        className="md:w-auto md:min-w-36 md:max-w-56"
        value={search.userId === null ? ANY : String(search.userId)}
        onValueChange={(value) => onChange({ userId: value === ANY ? null : Number(value) })}
        loading={people.isPending}
        options={[{ value: ANY, label: "Anyone", isNone: true }, ...named]}
        searchPlaceholder="Find a person"
      />
      <Combobox
        aria-label="What"
        className="md:w-auto md:min-w-36 md:max-w-56"
        value={search.act ?? ANY}
        onValueChange={(value) => onChange({ act: auditActNames.find((option) => option === value) ?? null })}
        options={[
          { value: ANY, label: "Any action", isNone: true },
          ...auditActNames.map((act) => ({ value: act, label: auditActs[act], keywords: [act] })),
        ]}
        searchPlaceholder="Find an action"
      />
      <DayInput label="From" value={search.since} onChange={(since) => onChange({ since }, "replace")} />
      <DayInput label="To" value={search.until} onChange={(until) => onChange({ until }, "replace")} />
      {auditSearchQuery({ ...search, page: 1 }) !== "" && (
        <Button variant="ghost" onClick={() => onChange(wholeAudit)}>
          <X aria-hidden /> Clear
        </Button>
      )}
    </search>
  );
}

type DayInputProps = { label: string; value: string | null; onChange: (day: string | null) => void };

/** A day in UTC. */
function DayInput({ label, value, onChange }: DayInputProps) {
  const report = (text: string) => {
    const day = dayOf(text);
    // A year being typed is no day yet. While a part is missing, the text is empty.
    if (day !== null || text === "") onChange(day);
  };
  const [typed, setTyped] = useTypedText(value ?? "", report, TYPING_PAUSE_MS);
  return (
    <span className="flex items-center gap-1.5 text-[13px] text-muted-foreground max-md:col-span-2">
      <span className="max-md:w-20">{label} (UTC)</span>
      <Input
        type="date"
        aria-label={`${label} (UTC)`}
        className={cn(
          "[&::-webkit-calendar-picker-indicator]:opacity-50 md:w-38",
          typed === "" && "text-muted-foreground",
        )}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={({ target }) => {
          // A day that is not applied, such as one of the year 26 or one without a year, must not look like the filter.
          if (typed !== "" && dayOf(typed) === null) setTyped(value ?? "");
          if (target.validity.badInput) target.value = "";
        }}
      />
    </span>
  );
}
