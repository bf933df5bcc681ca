import { BookText, FolderGit2, ListTree, type LucideIcon, Settings, SquarePen, TextSearch } from "lucide-react";

/** A page in the navigation. */
export type Destination = {
  label: string;
  href: string;
  /** Every path below it belongs to it too. */
  section: string;
  icon: LucideIcon;
};

/** Destinations in the sidebar, top to bottom. */
export const mainDestinations: readonly Destination[] = [
  { label: "Runs", href: "/runs", section: "/runs", icon: ListTree },
  { label: "Search", href: "/search", section: "/search", icon: TextSearch },
  { label: "New run", href: "/runs/new", section: "/runs/new", icon: SquarePen },
  { label: "Repositories", href: "/repositories", section: "/repositories", icon: FolderGit2 },
  { label: "Settings", href: "/settings/tokens", section: "/settings", icon: Settings },
];

/** The description of the API. */
export const docsDestination: Destination = { label: "API docs", href: "/docs", section: "/docs", icon: BookText };

/** The destination a path belongs to: the one with the longest matching prefix, or null. */
export function findCurrentDestination(pathname: string, destinations: readonly Destination[]): Destination | null {
  const around = destinations.filter(({ section }) => pathname === section || pathname.startsWith(`${section}/`));
  return around.toSorted((a, b) => b.section.length - a.section.length)[0] ?? null;
}
