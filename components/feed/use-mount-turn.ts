"use client";

import { createContext, useContext, useEffect, useState } from "react";
import type { MountTurns } from "./mount-turns.ts";

/** The turns of the list around; null outside of one. */
export const MountTurnsContext = createContext<MountTurns | null>(null);

/** Whether an item may be rendered whole; until then a stand-in that costs little takes its place. It never goes back. */
export function useMountTurn(index: number): boolean {
  const turns = useContext(MountTurnsContext);
  const [isTurn, setTurn] = useState(() => turns === null || !turns.isScrolling);
  useEffect(() => {
    if (!isTurn) return turns?.wait(index, () => setTurn(true));
  }, [isTurn, turns, index]);
  return isTurn;
}
