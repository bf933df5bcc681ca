import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { LogEntry } from "#lib/contract/entry.ts";

export type Joined = {
  /** The link that stands after this call of an agent, or null. */
  link: LogEntry | null;
  /** This entry is such a link, and the card before it shows it. */
  isJoined: boolean;
};

const JoinedContext = createContext<Joined>({ link: null, isJoined: false });

/** Tells the card below what it has in common with its neighbours. */
export function JoinedProvider({ link, isJoined, children }: Joined & { children: ReactNode }) {
  const joined = useMemo(() => ({ link, isJoined }), [link, isJoined]);
  return <JoinedContext value={joined}>{children}</JoinedContext>;
}

/** What the entry of this card has in common with its neighbours. */
export function useJoined(): Joined {
  return useContext(JoinedContext);
}
