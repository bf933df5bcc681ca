"use client";

import { createContext, useContext, useEffect, useState } from "react";
import type { MountTurns } from "./mount-turns.ts";

/** The turns of the surrounding list; null outside a list. */
export const MountTurnsContext = createContext<MountTurns | null>(null);

/** Whether an item may be rendered in full; until then a cheap placeholder is shown. Never goes back to false. */
export function useMountTurn(index: number): boolean {
  const turns = useContext(MountTurnsContext);
  const [isTurn, setTurn] = useState(() => turns === null || !turns.isScrolling);
  useEffect(() => {
    if (!isTurn) return turns?.wait(index, () => setTurn(true));
  }, [isTurn, turns, index]);
  return isTurn;
}
