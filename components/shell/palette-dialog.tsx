"use client";

import { ArrowLeftRight, Hash, LogOut, Monitor, Moon, Settings, Sun, TextSearch } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import {
  CommandDialog,
  CommandEmpty,
  CommandGroup,
  CommandInput,
  CommandItem,
  CommandList,
} from "#components/ui/command.tsx";
import type { Role } from "#lib/contract/people/organization.ts";
import { docsDestination, mainDestinations } from "./destinations.ts";
import type { ShellOrganizations } from "./organization-menu.tsx";
import { settingsSectionsOf } from "./settings-sections.ts";
import { themes, useTheme } from "./theme.tsx";

const themeIcons = { light: Sun, dark: Moon, system: Monitor };
const RUN_NUMBER = /^#?([1-9]\d{0,15})$/;

type PaletteDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  organizations: ShellOrganizations;
  role: Role;
  onSignOut: () => void;
};

/** The palette itself: loaded by command-palette.tsx when it is first opened. */
export function PaletteDialog({ open, onOpenChange, ...list }: PaletteDialogProps) {
  return (
    <CommandDialog title="Command palette" open={open} onOpenChange={onOpenChange}>
      <PaletteList onDone={() => onOpenChange(false)} {...list} />
    </CommandDialog>
  );
}

type PaletteListProps = Omit<PaletteDialogProps, "open" | "onOpenChange"> & { onDone: () => void };

function PaletteList({ onDone, organizations, role, onSignOut }: PaletteListProps) {
  const router = useRouter();
  const { theme, setTheme } = useTheme();
  const [search, setSearch] = useState("");
  const words = search.trim();
  const runNumber = RUN_NUMBER.exec(search.trim())?.[1];

  function goTo(href: string) {
    onDone();
    router.push(href);
  }

  return (
    <>
      <CommandInput value={search} onValueChange={setSearch} placeholder="Type a page, a command or a run's number…" />
      <CommandList label="Commands" className="max-h-96">
        <CommandEmpty>No results</CommandEmpty>
        {runNumber !== undefined && (
          <CommandGroup heading="Run">
            <CommandItem value={`run ${search}`} onSelect={() => goTo(`/runs/${runNumber}`)}>
              <Hash aria-hidden /> Go to run #{runNumber}
            </CommandItem>
          </CommandGroup>
        )}
        <CommandGroup heading="Go to">
          {[...mainDestinations, docsDestination].map(({ label, href, icon: Icon }) => (
            <CommandItem key={href} value={label} onSelect={() => goTo(href)}>
              <Icon aria-hidden /> {label}
            </CommandItem>
          ))}
          {settingsSectionsOf(role).map(({ label, href }) => (
            <CommandItem key={href} value={`Settings ${label}`} onSelect={() => goTo(href)}>
              <Settings aria-hidden /> Settings: {label}
            </CommandItem>
          ))}
        </CommandGroup>
        {organizations.all.length > 1 && (
          <CommandGroup heading="Organization">
            {organizations.all
              .filter(({ id }) => id !== organizations.current.id)
              .map(({ id, name }) => (
                <CommandItem
                  key={id}
                  value={`Switch to ${name} ${id}`}
                  onSelect={() => {
                    onDone();
                    organizations.onSwitch(id);
                  }}
                >
                  <ArrowLeftRight aria-hidden /> Switch to {name}
                </CommandItem>
              ))}
          </CommandGroup>
        )}
        <CommandGroup heading="Theme">
          {themes.map(({ value, label }) => {
            const Icon = themeIcons[value];
            return (
              <CommandItem
                key={value}
                value={`${label} theme`}
                onSelect={() => {
                  setTheme(value);
                  onDone();
                }}
              >
                <Icon aria-hidden /> {label} theme
                {value === theme && <span className="ml-auto text-muted-foreground text-xs">current</span>}
              </CommandItem>
            );
          })}
        </CommandGroup>
        <CommandGroup heading="You">
          <CommandItem
            value="Sign out"
            onSelect={() => {
              onDone();
              onSignOut();
            }}
          >
            <LogOut aria-hidden /> Sign out
          </CommandItem>
        </CommandGroup>
        {words !== "" && runNumber === undefined && (
          <CommandGroup heading="Search">
            <CommandItem
              value={`search ${search}`}
              onSelect={() => goTo(`/search?${new URLSearchParams({ q: words })}`)}
            >
              <TextSearch aria-hidden /> Search all runs for “{words}”
            </CommandItem>
          </CommandGroup>
        )}
      </CommandList>
    </>
  );
}
