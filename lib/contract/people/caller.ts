import type { CallerKind } from "#lib/contract/operation.ts";
import type { Role } from "./organization.ts";
import type { Scope } from "./role-scopes.ts";
import type { StatusStyle } from "./token.ts";

/** The authenticated caller. Their rights in an organization are in {@link Member}. */
export type Caller = {
  kind: CallerKind;
  /** Identifies the token or session: `token:` and its id, or `session:` and part of the hash of its secret. */
  key: string;
  userId: number;
  /** Null for a session. */
  tokenId: number | null;
  /** A token's only organization; null for a session, which reaches all organizations of its person. */
  organizationId: number | null;
  /** Upper limit of a token's role; owner for a session. The membership may allow less. */
  roleMax: Role;
  /** Scopes a token is limited to; null for a session: all of the role's. */
  scopes: readonly Scope[] | null;
  /** When a token expires; null if never, and for a session. */
  expiresAt: string | null;
  statusStyle: StatusStyle;
};

/** A caller in one organization: the lower of membership and token decides. */
export type Member = { organizationId: number; role: Role; scopes: readonly Scope[] };
