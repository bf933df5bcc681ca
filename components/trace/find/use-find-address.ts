import { useEffect, useRef } from "react";
import type { usePageSearch } from "#components/trace/use-page-search.ts";
import type { Find } from "./use-find.ts";

/** Browsers refuse a page that changes its address too often: a key held down changes it once. */
const RESTS_MS = 200;

/** Keeps what is looked for and the hit that is shown in the page's address, and follows the address where it is gone back. */
export function useFindAddress(find: Find, search: ReturnType<typeof usePageSearch>): void {
  const text = find.isOpen && find.q !== "" ? find.q : null;
  const seq = find.isOpen ? (find.cursor?.hit.seq ?? null) : null;
  const latest = useRef({ find, search });
  /** What the address says, and what it is going to say: it follows when the page has time. */
  const written = useRef([search.find]);
  useEffect(() => {
    latest.current = { find, search };
  });
  useEffect(() => {
    const write = () => {
      const { search: now } = latest.current;
      const entry = seq === null ? now.entry : String(seq);
      if (now.find === text && now.entry === entry) return;
      written.current.push(text);
      now.show({ find: text, entry }, "replace");
    };
    const timer = setTimeout(write, RESTS_MS);
    return () => clearTimeout(timer);
  }, [text, seq]);
  useEffect(() => {
    const place = written.current.indexOf(search.find);
    if (place !== -1) {
      written.current.splice(0, place);
      return;
    }
    written.current = [search.find];
    if (search.find === null) latest.current.find.close();
    else latest.current.find.open(search.find);
  }, [search.find]);
}
