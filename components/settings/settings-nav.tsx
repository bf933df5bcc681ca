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
    <div className="mx-auto max-w-400 pt-4">
      {/* The heading is that of the section, below. */}
      <p className="px-4 font-semibold text-lg/7 md:px-6">Settings</p>
      <nav
        ref={list}
        aria-label="Settings"
        className="flex items-stretch gap-4 overflow-x-auto px-4 pt-1 [mask-image:linear-gradient(to_left,transparent,black_2.5rem)] [scrollbar-width:none] md:px-6"
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
        {/* Links fade out at the right edge, where more may follow; the last one ends before that. */}
        <span aria-hidden className="w-6 shrink-0" />
      </nav>
    </div>
  );
}

/** Scrolls only the row, as little as possible: scrollIntoView would move the page too. */
function revealIn(row: HTMLElement | null, item: HTMLElement): void {
  if (row === null) return;
  const edge = 40;
  const [left, right] = [item.offsetLeft - row.offsetLeft, item.offsetLeft - row.offsetLeft + item.offsetWidth];
  if (left - edge < row.scrollLeft) row.scrollLeft = left - edge;
  else if (right + edge > row.scrollLeft + row.clientWidth) row.scrollLeft = right + edge - row.clientWidth;
}
