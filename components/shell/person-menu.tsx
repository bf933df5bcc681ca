"use client";

import { BookText, LogOut, Search, UserRound } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuShortcut,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { docsDestination } from "./destinations.ts";
import { OrganizationItems, type ShellOrganizations } from "./organization-menu.tsx";
import { usePaletteKey } from "./palette-key.ts";
import { themes, useTheme } from "./theme.tsx";

type PersonMenuProps = {
  organizations: ShellOrganizations;
  userName: string;
  userEmail: string;
  onSignOut: () => void;
  onOpenPalette: () => void;
  /** The button that opens the menu. */
  children: ReactNode;
};

/** The person's menu: name, theme, sign-out. */
export function PersonMenu({
  organizations,
  userName,
  userEmail,
  onSignOut,
  onOpenPalette,
  children,
}: PersonMenuProps) {
  const { theme, setTheme } = useTheme();
  const paletteKey = usePaletteKey();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{children}</DropdownMenuTrigger>
      <DropdownMenuContent side="top" align="start" className="w-56">
        <div className="px-2 py-1">
          <div className="truncate font-medium">{userName}</div>
          <div className="truncate text-[13px] text-muted-foreground">{userEmail}</div>
        </div>
        {organizations.all.length > 1 && (
          // On wider windows these are at the top of the sidebar.
          <div className="md:hidden">
            <DropdownMenuSeparator />
            <DropdownMenuLabel>Organization</DropdownMenuLabel>
            <OrganizationItems organizations={organizations} />
          </div>
        )}
        <DropdownMenuSeparator />
        <DropdownMenuLabel>Theme</DropdownMenuLabel>
        <DropdownMenuRadioGroup
          value={theme}
          onValueChange={(value) => {
            const chosen = themes.find((known) => known.value === value);
            if (chosen !== undefined) setTheme(chosen.value);
          }}
        >
          {themes.map(({ value, label }) => (
            <DropdownMenuRadioItem key={value} value={value}>
              {label}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={onOpenPalette}>
          <Search aria-hidden /> Go to… <DropdownMenuShortcut>{paletteKey}</DropdownMenuShortcut>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href="/settings/profile">
            <UserRound aria-hidden /> Your profile
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <Link href={docsDestination.href}>
            <BookText aria-hidden /> API docs
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={onSignOut}>
          <LogOut aria-hidden /> Sign out
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
