"use client";

import { useEffect, useRef } from "react";
import { useSectionInView } from "./use-section-in-view.ts";

/** Links to the sections of the page; the section being read is marked. */
export function PlaceList({ places }: { places: readonly { id: string; label: string }[] }) {
  const current = useSectionInView(places.map(({ id }) => id));
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (current !== null && link != null) revealIn(link);
  }, [current]);
  return (
    <ul ref={list} className="my-1 ml-2 grid gap-0.5 border-border border-l pl-2">
      {places.map(({ id, label }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            aria-current={id === current ? "location" : undefined}
            className="block rounded-md px-2 py-0.5 text-muted-foreground hover:text-foreground aria-[current]:font-medium aria-[current]:text-foreground pointer-coarse:py-2"
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Scrolls only the contents, as little as possible: scrollIntoView would move the page too. */
function revealIn(link: HTMLElement): void {
  const nav = link.closest("nav");
  if (nav === null || nav.scrollHeight <= nav.clientHeight) return;
  const [box, frame] = [link.getBoundingClientRect(), nav.getBoundingClientRect()];
  const edge = 32;
  if (box.top < frame.top + edge) nav.scrollTop -= frame.top + edge - box.top;
  else if (box.bottom > frame.bottom - edge) nav.scrollTop += box.bottom - frame.bottom + edge;
}
