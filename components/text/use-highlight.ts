import { useEffect, useState } from "react";
import { highlight } from "./highlight.ts";
import type { HighlightToken } from "./highlight-protocol.ts";
import type { Language } from "./languages.ts";

/** Text that scrolls past faster than this is not highlighted: nobody reads it, and each color is an element. */
const RESTS_MS = 120;

/**
 * Tokens of each line once they are known; null before, and for text that is not highlighted. Sends requests only while
 * `isWanted`.
 */
export function useHighlight(text: string, language: Language | null, isWanted: boolean): HighlightToken[][] | null {
  const [found, setFound] = useState<{ text: string; lines: HighlightToken[][] | null } | null>(null);
  useEffect(() => {
    if (language === null || !isWanted || text === "") return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      highlight(text, language).then((lines) => isCurrent && setFound({ text, lines }));
    }, RESTS_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, language, isWanted]);
  return found?.text === text ? found.lines : null;
}
