// The store's tokens, sessions and sign-in links.

import type { Role } from "#lib/contract/people/organization.ts";
import type { SignInWay } from "#lib/contract/people/person.ts";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";

export type TokenRow = {
  id: number;
  organizationId: number;
  userId: number;
  name: string;
  role: Role;
  scopes: Scope[];
  statusStyle: StatusStyle;
  hint: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

/** Tokens of one person, or one token; all of the organization if empty. */
export type TokenFilter = { userId?: number; tokenId?: number };

/** A token with the name of its person. */
export type ListedTokenRow = TokenRow & { userName: string | null };

/** A browser's session, as its person sees it. */
export type SessionRow = {
  way: SignInWay;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string | null;
  expiresAt: string;
};
