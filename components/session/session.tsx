"use client";

import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import type { Scope } from "#lib/contract/operation.ts";
import { type Organization, Role, type User } from "#lib/contract/organization.ts";
import { scopesOf } from "#lib/contract/role-scopes.ts";
import { mayAct, type RunAct, runActs } from "#lib/contract/run-acts.ts";

/** Who is signed in, and where. */
export type Session = {
  user: User;
  /** The one that the dashboard shows. */
  organization: Organization;
  /** All of the person's, that one among them. */
  organizations: Organization[];
  /** May make organizations. */
  isInstanceOwner: boolean;
  role: Role;
  /** Where the reader's browser reaches the service: `https://errand.example`. */
  origin: string;
};

const SessionContext = createContext<Session | null>(null);

type SessionProviderProps = Omit<Session, "role"> & { children: ReactNode };

/** Tells the pages of the dashboard who is signed in. `origin` is what the server took it to be; the browser knows better. */
export function SessionProvider({
  user,
  organization,
  organizations,
  isInstanceOwner,
  origin,
  children,
}: SessionProviderProps) {
  const browserOrigin = useSyncExternalStore(
    () => () => {},
    () => window.location.origin,
    () => origin,
  );
  const session = useMemo(() => {
    const role = Role.safeParse(user.role);
    // A role this page does not know may do the least.
    return {
      user,
      organization,
      organizations,
      isInstanceOwner,
      origin: browserOrigin,
      role: role.success ? role.data : ("viewer" as const),
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

/** Why the person may not do this to a run, as a sentence, or null where they may. `owners` are the persons whose own it is. */
export function useRunRefusal(act: RunAct, ...owners: (number | null)[]): string | null {
  const { role, user } = useSession();
  const isOwn = owners.includes(user.id);
  if (mayAct(role, act, isOwn)) return null;
  const needed = isOwn ? runActs[act].own : runActs[act].others;
  if (!scopesOf(role).includes(runActs[act].scope)) return readOnly(role);
  return `This run is somebody else's: only they or an ${needed} may do this.`;
}

/** Why the person may not do what needs a scope, as a sentence, or null where they may. */
export function useRefusal(scope: Scope): string | null {
  const { role } = useSession();
  if (scopesOf(role).includes(scope)) return null;
  return readOnly(role);
}

function readOnly(role: Role): string {
  return `Your role here is ${role}, which may look but not change anything. An administrator can give you another.`;
}
