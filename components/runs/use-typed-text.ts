import { useEffect, useState } from "react";

/**
 * What is being typed into a field whose text stands in the address: `onChange` is told of it after a pause, and where the
 * address changes by itself (going back, clearing) that wins. The address follows later than the keys, so what comes back
 * from it of one's own is not taken for such a change: it would undo what was typed meanwhile.
 */
export function useTypedText(
  text: string,
  onChange: (text: string) => void,
  pauseMs: number,
): [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  /** What was told and has not come back yet, oldest first. */
  const [told, setTold] = useState<readonly string[]>([]);
  if (text !== seen) {
    setSeen(text);
    const place = told.lastIndexOf(text);
    setTold(told.slice(place === -1 ? told.length : place + 1));
    if (place === -1) setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return;
    const timer = setTimeout(() => {
      setTold((before) => [...before, typed]);
      onChange(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, text, onChange, pauseMs]);
  return [typed, setTyped];
}
