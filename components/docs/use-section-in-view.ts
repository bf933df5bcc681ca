import { useEffect, useState } from "react";

/** Height of the header and the room that a section leaves above itself, in CSS pixels. */
const topPx = 80;

/**
 * Id of the section being read: the last one that has begun. At the end of the page, where short sections cannot reach the top,
 * the one in the address, or else the last. Null above the first.
 */
export function useSectionInView(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const joined = ids.join(" ");
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      setCurrent(findSection(joined.split(" ")));
    };
    const lookSoon = () => {
      if (frame === 0) frame = requestAnimationFrame(look);
    };
    look();
    const options = { passive: true };
    window.addEventListener("scroll", lookSoon, options);
    window.addEventListener("resize", lookSoon, options);
    window.addEventListener("hashchange", lookSoon);
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("scroll", lookSoon);
      window.removeEventListener("resize", lookSoon);
      window.removeEventListener("hashchange", lookSoon);
    };
  }, [joined]);
  return current;
}

function findSection(ids: readonly string[]): string | null {
  const { scrollHeight, clientHeight } = document.documentElement;
  const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
  if (scrollHeight > clientHeight && window.scrollY + clientHeight >= scrollHeight - 1) {
    const named = decodeURIComponent(window.location.hash.slice(1));
    if (!ids.includes(named)) return ids.at(-1) ?? null;
    const top = topOf(named);
    return top >= 0 && top < clientHeight ? named : (ids.at(-1) ?? null);
  }
  return ids.findLast((id) => topOf(id) <= topPx) ?? null;
}
