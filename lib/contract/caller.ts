import type { CallerKind, Scope } from "./operation.ts";
import type { Role } from "./organization.ts";
import type { StatusStyle } from "./token.ts";

/** Who asks, as authentication found it. What they may do in an organization is {@link Member}. */
export type Caller = {
  kind: CallerKind;
  /** Names the token or session itself: `token:` and its id, or `session:` and a part of the hash of its secret. */
  key: string;
  userId: number;
  /** Null for a session. */
  tokenId: number | null;
  /** The one organization of a token; null for a session, which reaches all organizations of its person. */
  organizationId: number | null;
  /** What a token was given at most; owner for a session. The membership may allow less. */
  roleMax: Role;
  /** What a token was limited to; null for a session: all that the role allows. */
  scopes: readonly Scope[] | null;
  /** When a token ends; null where it never does, and for a session. */
  expiresAt: string | null;
  statusStyle: StatusStyle;
};

/** A caller in one organization: the weaker of membership and token decides. */
export type Member = { organizationId: number; role: Role; scopes: readonly Scope[] };
