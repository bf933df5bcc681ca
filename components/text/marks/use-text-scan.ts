import { useEffect, useState } from "react";
import { type ScanState, TextScan } from "./text-scan.ts";

/** Result of a search in a text so far; null while the needle is empty. Continues between frames until it is done. */
export function useTextScan(text: string, needle: string): ScanState | null {
  const [found, setFound] = useState<{ text: string; needle: string; state: ScanState } | null>(null);
  useEffect(() => {
    if (needle === "") return;
    const scan = new TextScan(text, needle);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = () => {
      const isMore = scan.step();
      setFound({ text, needle, state: scan.state });
      if (isMore) timer = setTimeout(step);
    };
    step();
    return () => clearTimeout(timer);
  }, [text, needle]);
  return found !== null && found.text === text && found.needle === needle ? found.state : null;
}
