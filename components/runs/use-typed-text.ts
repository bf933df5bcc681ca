import { useEffect, useState } from "react";

/**
 * Text being typed into a field that is stored in the address: `onChange` is called after a pause, once, even if it does not
 * store the text, and a change of the address itself (going back, clearing) wins. The address lags behind the keys, so our own
 * values coming back do not count as such a change: they would undo what was typed in the meantime.
 */
export function useTypedText(
  text: string,
  onChange: (text: string) => void,
  pauseMs: number,
): [typed: string, setTyped: (typed: string) => void] {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  /** Values reported with `onChange` that are not in the address yet, oldest first. */
  const [reported, setReported] = useState<readonly string[]>([]);
  if (text !== seen) {
    setSeen(text);
    const place = reported.lastIndexOf(text);
    setReported(reported.slice(place === -1 ? reported.length : place + 1));
    if (place === -1) setTyped(text);
  }
  useEffect(() => {
    if (typed === text || typed === reported.at(-1)) return;
    const timer = setTimeout(() => {
      setReported((before) => [...before, typed]);
      onChange(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, text, reported, onChange, pauseMs]);
  return [typed, setTyped];
}
