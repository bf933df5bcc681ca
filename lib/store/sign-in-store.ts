// The store's tokens, sessions and sign-in links.

import type { Role } from "#lib/contract/organization.ts";
import type { SignInWay } from "#lib/contract/person.ts";
import type { Scope } from "#lib/contract/role-scopes.ts";
import type { StatusStyle } from "#lib/contract/token.ts";
import type { Access } from "./access.ts";
import type { Listed, Window } from "./window.ts";

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

export type TokenStore = {
  create(
    access: Access & { userId: number },
    token: Pick<TokenRow, "name" | "role" | "scopes" | "statusStyle" | "hint" | "expiresAt"> & { hash: Uint8Array },
  ): Promise<TokenRow>;
  /**
   * By SHA-256 of the secret; null for unknown, revoked and expired ones. One read of a few microseconds: every request makes
   * it.
   */
  findByHash(hash: Uint8Array): Promise<TokenRow | null>;
  /** Records the use, at most once a minute per token. */
  touch(tokenId: number): Promise<void>;
  /** Newest first, without revoked ones. */
  list(access: Access, filter: TokenFilter, window: Window): Promise<Listed<ListedTokenRow>>;
  /** Revokes it; null if it does not exist or does not match the filter. */
  revoke(access: Access, tokenId: number, filter: TokenFilter): Promise<TokenRow | null>;
};

/** A browser's session, as its person sees it. */
export type SessionRow = {
  way: SignInWay;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string | null;
  expiresAt: string;
};

export type SessionStore = {
  /** A one-time sign-in code, by hash. */
  createLink(link: { hash: Uint8Array; userId: number; expiresAt: string }): Promise<void>;
  /** Uses the code up: the user's id, or null if it is unknown, used or expired. Atomic. */
  consumeLink(hash: Uint8Array): Promise<number | null>;
  /** The person a known code was created for, used or not; null for unknown and old codes. */
  findLinkUserId(hash: Uint8Array): Promise<number | null>;
  /** `way` is how the person signed in, by default with a sign-in link. */
  create(session: {
    hash: Uint8Array;
    userId: number;
    expiresAt: string;
    way?: SignInWay;
    userAgent?: string | null;
  }): Promise<void>;
  /** The user of a live session, or null. One read of a few microseconds: every request makes it. */
  findUserId(hash: Uint8Array): Promise<number | null>;
  /** Records the use of a session, at most once a minute. */
  touch(hash: Uint8Array, userId: number): Promise<void>;
  /** A live session, or null. */
  find(hash: Uint8Array): Promise<SessionRow | null>;
  /** Live sessions of a person, newest first, 100 at most. */
  list(userId: number): Promise<(SessionRow & { hash: Uint8Array })[]>;
  delete(hash: Uint8Array): Promise<void>;
  /** Ends the person's sessions except the one with that hash; returns how many were live. */
  deleteOthers(userId: number, hash: Uint8Array): Promise<number>;
};
