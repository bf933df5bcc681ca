"use client";

import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { useEffect, useState } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { settingsQuery } from "#lib/client/pages/organization-queries.ts";

type TimeLimitFieldProps = {
  orgId: number;
  minutes: string;
  onChange: (minutes: string) => void;
  error: string | undefined;
};

/** Time limit per turn, folded: most runs use the organization's. */
export function TimeLimitField({ orgId, minutes, onChange, error }: TimeLimitFieldProps) {
  const own = useQuery(settingsQuery(orgId)).data?.default_turn_timeout_s ?? null;
  const [isOpen, setOpen] = useState(false);
  const isNeeded = minutes !== "" || error !== undefined;
  useEffect(() => {
    if (isNeeded) setOpen(true);
  }, [isNeeded]);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)} className="group grid">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-muted-foreground text-sm hover:text-foreground pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 group-open:rotate-90" /> More
      </summary>
      <Field
        label="Time limit per turn, in minutes"
        error={error}
        hint={
          own === null
            ? "If empty, only Errand's own limit applies."
            : `If empty, the organization's limit of ${own / 60} minutes applies.`
        }
        className="max-w-90 pt-3"
      >
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={10_080}
          step={1}
          value={minutes}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    </details>
  );
}
