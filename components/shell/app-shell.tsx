"use client";

import { ChevronsUpDown, CircleUserRound, Search } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { type ComponentProps, type ReactNode, useState } from "react";
import { KeysHelp } from "#components/keys/keys-help.tsx";
import { cn } from "#components/ui/class-names.ts";
import { Kbd } from "#components/ui/kbd.tsx";
import type { Role } from "#lib/contract/people/organization.ts";
import { CommandPalette } from "./command-palette.tsx";
import { type Destination, findCurrentDestination, mainDestinations } from "./destinations.ts";
import { OrganizationMenu, type ShellOrganizations } from "./organization-menu.tsx";
import { usePaletteKey } from "./palette-key.ts";
import { PersonMenu } from "./person-menu.tsx";

type AppShellProps = {
  organizations: ShellOrganizations;
  role: Role;
  userName: string;
  userEmail: string;
  onSignOut: () => void;
  children: ReactNode;
};

const MAIN_ID = "main";

/** Navigation around every page of the dashboard: a side bar, only icons on tablets, at the bottom on phones. */
export function AppShell({ organizations, role, userName, userEmail, onSignOut, children }: AppShellProps) {
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const current = findCurrentDestination(usePathname(), mainDestinations);
  const person = { organizations, userName, userEmail, onSignOut, onOpenPalette: () => setPaletteOpen(true) };

  return (
    <>
      <a
        href={`#${MAIN_ID}`}
        className="sr-only focus-visible:not-sr-only focus-visible:fixed focus-visible:top-2 focus-visible:left-2 focus-visible:z-50 focus-visible:rounded-md focus-visible:border focus-visible:bg-popover focus-visible:px-3 focus-visible:py-1.5"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <header className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-2 border-border border-r bg-background p-2 md:flex lg:w-52">
          <OrganizationMenu organizations={organizations} />
          <SearchButton onClick={() => setPaletteOpen(true)} />
          <nav aria-label="Main" className="grid gap-0.5">
            {mainDestinations.map((destination) => (
              <SideLink key={destination.href} destination={destination} isCurrent={destination === current} />
            ))}
          </nav>
          <div className="mt-auto">
            <PersonMenu {...person}>
              <button type="button" aria-label={`${userName}, your menu`} className={cn(sideItemClasses, "w-full")}>
                <CircleUserRound aria-hidden />
                <span className="hidden min-w-0 flex-1 truncate text-left lg:block">{userName}</span>
                <ChevronsUpDown aria-hidden className="hidden lg:block" />
              </button>
            </PersonMenu>
          </div>
        </header>
        <main id={MAIN_ID} tabIndex={-1} className="min-w-0 flex-1 pb-(--bottom-bar) outline-none">
          {children}
        </main>
        <BottomBar current={current} person={person} />
      </div>
      <KeysHelp />
      <CommandPalette
        open={isPaletteOpen}
        onOpenChange={setPaletteOpen}
        organizations={organizations}
        role={role}
        onSignOut={onSignOut}
      />
    </>
  );
}

const sideItemClasses =
  "flex h-control items-center justify-center gap-2.5 rounded-md px-2 text-sm text-muted-foreground transition-colors hover:bg-accent hover:text-foreground data-[state=open]:bg-accent aria-[current]:bg-accent aria-[current]:font-medium aria-[current]:text-foreground lg:justify-start [&_svg]:size-4 [&_svg]:shrink-0";

function SearchButton({ onClick }: { onClick: () => void }) {
  const paletteKey = usePaletteKey();
  return (
    <button
      type="button"
      aria-label="Go to…"
      aria-keyshortcuts="Meta+K Control+K"
      onClick={onClick}
      className={cn(sideItemClasses, "border border-border px-[7px]")}
    >
      <Search aria-hidden />
      <span className="hidden flex-1 text-left lg:block">Go to…</span>
      <Kbd className="hidden lg:inline-flex">{paletteKey}</Kbd>
    </button>
  );
}

type NavLinkProps = { destination: Destination; isCurrent: boolean };

function SideLink({ destination: { label, href, icon: Icon }, isCurrent }: NavLinkProps) {
  return (
    <Link href={href} title={label} aria-current={isCurrent ? "page" : undefined} className={sideItemClasses}>
      <Icon aria-hidden />
      <span className="max-lg:sr-only">{label}</span>
    </Link>
  );
}

const bottomItemClasses =
  "flex h-14 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-muted-foreground text-[11px]/4 aria-[current]:font-medium aria-[current]:text-foreground [&_svg]:size-5 [&_svg]:stroke-[1.75]";

type Person = Omit<ComponentProps<typeof PersonMenu>, "children">;

function BottomBar({ current, person }: { current: Destination | null; person: Person }) {
  return (
    <div className="fixed inset-x-0 bottom-0 z-40 flex border-border border-t bg-background pb-[env(safe-area-inset-bottom)] md:hidden">
      <nav aria-label="Main" className="flex min-w-0 flex-[5]">
        {mainDestinations.map((destination) => (
          <Link
            key={destination.href}
            href={destination.href}
            aria-current={destination === current ? "page" : undefined}
            className={bottomItemClasses}
          >
            <destination.icon aria-hidden />
            {destination.label}
          </Link>
        ))}
      </nav>
      <PersonMenu {...person}>
        <button type="button" className={bottomItemClasses}>
          <CircleUserRound aria-hidden />
          You
        </button>
      </PersonMenu>
    </div>
  );
}
