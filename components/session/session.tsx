"use client";

import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useIsInBrowser } from "#components/ui/use-is-in-browser.ts";
import type { Organization, Role, User } from "#lib/contract/people/organization.ts";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { mayAct, type RunAct, runActs } from "#lib/contract/runs/run-acts.ts";
import { roles } from "#lib/contract/words.ts";

/** The signed-in person and their organizations. */
export type Session = {
  user: User;
  /** The one the dashboard shows. */
  organization: Organization;
  /** All of the person's, including that one. */
  organizations: Organization[];
  /** May create organizations. */
  isInstanceOwner: boolean;
  role: Role;
  /** Address at which the reader's browser reaches the service: `https://errand.example`. */
  origin: string;
};

const SessionContext = createContext<Session | null>(null);

type SessionProviderProps = Omit<Session, "role"> & { children: ReactNode };

/** Provides the session to the dashboard's pages. `origin` is the server's guess; the browser knows better. */
export function SessionProvider({
  user,
  organization,
  organizations,
  isInstanceOwner,
  origin,
  children,
}: SessionProviderProps) {
  const isInBrowser = useIsInBrowser();
  const browserOrigin = isInBrowser ? window.location.origin : origin;
  const session = useMemo(() => {
    return {
      user,
      organization,
      organizations,
      isInstanceOwner,
      origin: browserOrigin,
      // A role unknown to this page counts as the lowest.
      role: roles.find((role) => role === user.role) ?? "viewer",
    };
  }, [user, organization, organizations, isInstanceOwner, browserOrigin]);
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** The session of the page. Throws outside the dashboard. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession works below SessionProvider only.");
  return session;
}

/** The organization that the dashboard shows. */
export function useOrganization(): Organization {
  return useSession().organization;
}

/** Reason the person may not do this to a run, as a sentence, or null if they may. `owners` are the people it belongs to. */
export function useRunRefusal(act: RunAct, ...owners: (number | null)[]): string | null {
  const { role, user } = useSession();
  const isOwn = owners.includes(user.id);
  if (mayAct(role, act, isOwn)) return null;
  const needed = isOwn ? runActs[act].own : runActs[act].others;
  if (!scopesOf(role).includes(runActs[act].scope)) return readOnly(role);
  return `This run is someone else's: only they or an ${needed} may do this.`;
}

/** Reason the person may not do what requires a scope, as a sentence, or null if they may. */
export function useRefusal(scope: Scope): string | null {
  const { role } = useSession();
  if (scopesOf(role).includes(scope)) return null;
  return readOnly(role);
}

function readOnly(role: Role): string {
  return `Your role here (${role}) does not allow this. An admin can change your role.`;
}
