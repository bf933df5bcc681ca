import { ApiError } from "#lib/contract/error.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import type { Store } from "#lib/store/store.ts";
import type { Credentials } from "./credentials.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { hashSecret } from "./secret.ts";
import { findSessionSecret } from "./session-cookie.ts";
import { isTokenSecret } from "./token-secret.ts";

/**
 * Identifies the caller: by `Authorization: Bearer` (RFC 6750; the scheme's case does not matter), otherwise by the session
 * cookie. Throws 401 if there is neither, or if it is malformed, unknown, expired or revoked, and 403 if another site uses the
 * cookie. A request with an Authorization header never falls back to its cookie.
 */
export async function authenticate(request: Credentials, store: Store, publicUrl: string): Promise<Caller> {
  const authorization = request.header("authorization");
  if (authorization !== null) return await authenticateToken(authorization, store);
  const session = findSessionSecret(request.header("cookie"));
  if (session === null) throw unauthenticated("Send a token: Authorization: Bearer <token>.");
  const sessionHash = hashSecret(session);
  const userId = await store.sessions.findUserId(sessionHash);
  if (userId === null) throw unauthenticated("The session has ended. Sign in again.");
  requireSameOrigin(request, publicUrl);
  await store.sessions.touch(sessionHash, userId);
  return {
    kind: "session",
    key: `session:${Buffer.from(sessionHash.subarray(0, 16)).toString("base64url")}`,
    userId,
    tokenId: null,
    organizationId: null,
    roleMax: "owner",
    scopes: null,
    expiresAt: null,
    statusStyle: "errand",
  };
}

async function authenticateToken(authorization: string, store: Store): Promise<Caller> {
  const [scheme, secret, ...rest] = authorization.trim().split(/ +/);
  if (scheme?.toLowerCase() !== "bearer" || secret === undefined || rest.length > 0) {
    throw new ApiError("unauthenticated", "The Authorization header must read: Bearer <token>.", {
      headers: { "www-authenticate": "Bearer" },
      isFailedAuthentication: true,
    });
  }
  if (!isTokenSecret(secret)) throw invalidToken();
  const token = await store.tokens.findByHash(hashSecret(secret));
  if (token === null) throw invalidToken();
  await store.tokens.touch(token.id);
  return {
    kind: "token",
    key: `token:${token.id}`,
    userId: token.userId,
    tokenId: token.id,
    organizationId: token.organizationId,
    roleMax: token.role,
    scopes: token.scopes,
    expiresAt: token.expiresAt,
    statusStyle: token.statusStyle,
  };
}

function invalidToken(): ApiError {
  return new ApiError("unauthenticated", "The token is unknown, expired or revoked.", {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    isFailedAuthentication: true,
  });
}

function unauthenticated(detail: string): ApiError {
  return new ApiError("unauthenticated", detail, { headers: { "www-authenticate": "Bearer" } });
}
