"use client";

import { ChevronDown } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { runStatuses, type RunStatus as Status } from "#lib/contract/runs/run-status.ts";
import { RunStatus } from "./run-status.tsx";
import { findRunStatusLook } from "./run-status-look.ts";

type StatusFilterProps = { statuses: Status[]; onChange: (statuses: Status[]) => void };

/** Filter by status: any number of them. */
export function StatusFilter({ statuses, onChange }: StatusFilterProps) {
  const isSet = statuses.length > 0;
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          variant="outline"
          className={cn(
            "shrink-0 px-2.5 font-normal pointer-coarse:text-base",
            isSet && "border-foreground font-medium",
          )}
        >
          <span className="max-w-48 truncate">{describe(statuses)}</span>
          <ChevronDown aria-hidden className="text-muted-foreground" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start">
        {runStatuses.map((status) => (
          <DropdownMenuCheckboxItem
            key={status}
            checked={statuses.includes(status)}
            // The menu stays open for several choices.
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(isChosen) =>
              onChange(runStatuses.filter((option) => (option === status ? isChosen : statuses.includes(option))))
            }
          >
            <RunStatus status={status} />
          </DropdownMenuCheckboxItem>
        ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem disabled={!isSet} onSelect={() => onChange([])}>
          Any status
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function describe(statuses: Status[]): string {
  const [first] = statuses;
  if (first === undefined) return "Any status";
  const label = findRunStatusLook(first).label;
  return statuses.length === 1 ? label : `${label} +${statuses.length - 1}`;
}
