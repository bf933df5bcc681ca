"use client";

import { Check, ChevronsUpDown, Plus } from "lucide-react";
import Link from "next/link";
import { cn } from "#components/ui/class-names.ts";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { Mark } from "./mark.tsx";

/** The person's organizations, the current one, and a function to switch, for the shell. */
export type ShellOrganizations = {
  current: { id: number; name: string };
  /** The current one among them. */
  all: readonly { id: number; name: string }[];
  mayCreate: boolean;
  onSwitch: (organizationId: number) => void;
};

const classes = "flex h-control items-center justify-center gap-2.5 rounded-md px-2 font-semibold lg:justify-start";

/** Name of the organization. A menu if there are others or one can be created; otherwise a link to the start page. */
export function OrganizationMenu({ organizations }: { organizations: ShellOrganizations }) {
  const { current, all, mayCreate } = organizations;
  if (all.length < 2 && !mayCreate) {
    return (
      <Link href="/runs" title={current.name} className={classes}>
        <Mark className="size-4 shrink-0" />
        <span className="min-w-0 truncate max-lg:sr-only">{current.name}</span>
      </Link>
    );
  }
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <button
          type="button"
          title={current.name}
          aria-label={`Organization: ${current.name}`}
          className={cn(classes, "w-full transition-colors hover:bg-accent data-[state=open]:bg-accent")}
        >
          <Mark className="size-4 shrink-0" />
          <span className="min-w-0 flex-1 truncate text-left max-lg:hidden">{current.name}</span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted-foreground max-lg:hidden" />
        </button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="start" className="w-56">
        <DropdownMenuLabel>Organizations</DropdownMenuLabel>
        <OrganizationItems organizations={organizations} />
        {mayCreate && (
          <>
            <DropdownMenuSeparator />
            <DropdownMenuItem asChild>
              <Link href="/settings/organization/new">
                <Plus aria-hidden /> New organization
              </Link>
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** One item per organization, for any menu. */
export function OrganizationItems({
  organizations: { current, all, onSwitch },
}: {
  organizations: ShellOrganizations;
}) {
  return all.map(({ id, name }) => (
    <DropdownMenuItem
      key={id}
      aria-current={id === current.id ? "true" : undefined}
      onSelect={() => id !== current.id && onSwitch(id)}
    >
      <Check aria-hidden className={id === current.id ? undefined : "invisible"} />
      <span className="min-w-0 truncate">{name}</span>
    </DropdownMenuItem>
  ));
}
