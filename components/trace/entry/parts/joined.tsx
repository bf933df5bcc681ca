import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { LogEntry } from "#lib/contract/logs/entry.ts";

export type Joined = {
  /** The link entry that follows this agent call, or null. */
  link: LogEntry | null;
  /** This entry is such a link, and the card before it shows it. */
  isJoined: boolean;
};

const JoinedContext = createContext<Joined>({ link: null, isJoined: false });

/** Provides the links that join an entry with its neighbors to the card below. */
export function JoinedProvider({ link, isJoined, children }: Joined & { children: ReactNode }) {
  const joined = useMemo(() => ({ link, isJoined }), [link, isJoined]);
  return <JoinedContext value={joined}>{children}</JoinedContext>;
}

/** Links that join this card's entry with its neighbors. */
export function useJoined(): Joined {
  return useContext(JoinedContext);
}
