"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { useSession } from "#components/session/session.tsx";
import { settingsSectionsOf } from "#components/shell/settings-sections.ts";
import { tabClasses } from "#components/ui/tab-classes.ts";

/** Links to the settings pages that the person may use. Nothing if there is only one. */
export function SettingsNav() {
  const pathname = usePathname();
  const list = useRef<HTMLElement>(null);
  const sections = settingsSectionsOf(useSession().role);
  const current = sections.find(({ href }) => pathname === href || pathname.startsWith(`${href}/`))?.href ?? null;
  // On a phone the row of links is wider than the page.
  useEffect(() => {
    const link = current === null ? null : list.current?.querySelector<HTMLElement>(`[href="${CSS.escape(current)}"]`);
    if (link != null) revealIn(list.current, link);
  }, [current]);
  if (sections.length < 2) return null;
  return (
    <nav
      ref={list}
      aria-label="Settings"
      className="mx-auto flex max-w-400 items-stretch gap-4 overflow-x-auto px-4 pt-2 [scrollbar-width:none] md:px-6"
    >
      {sections.map(({ label, href }) => {
        const isCurrent = href === current;
        return (
          <Link
            key={href}
            href={href}
            aria-current={isCurrent ? "page" : undefined}
            data-state={isCurrent ? "active" : "inactive"}
            className={tabClasses}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}

/** Scrolls only the row, as little as possible: scrollIntoView would move the page too. */
function revealIn(row: HTMLElement | null, item: HTMLElement): void {
  if (row === null) return;
  const edge = 16;
  const [left, right] = [item.offsetLeft - row.offsetLeft, item.offsetLeft - row.offsetLeft + item.offsetWidth];
  if (left - edge < row.scrollLeft) row.scrollLeft = left - edge;
  else if (right + edge > row.scrollLeft + row.clientWidth) row.scrollLeft = right + edge - row.clientWidth;
}
