import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { isAtLeast, scopesOf } from "#lib/contract/people/role-scopes.ts";
import type { CreateToken, ListedToken, Token } from "#lib/contract/people/token.ts";
import type { ListedTokenRow, TokenFilter, TokenRow } from "#lib/store/store.ts";
import { recordAct } from "./audit.ts";
import type { OrganizationContext } from "./service-context.ts";

const dayMs = 86_400_000;

/** Tokens the caller may see, newest first. */
export async function listTokens(context: OrganizationContext, { query }: { query: Paging }) {
  const rows = rowsOf(query);
  const { items, total } = await context.store.tokens.list(context.access, reachOf(context), rows);
  return pageOf(items.map(presentListed), total, rows);
}

/**
 * Creates a token; only this response contains its secret. A token can never do more than the caller: 403 for a higher
 * role, more scopes, none in common or a longer life; 400 for scopes that the role does not have.
 */
export async function createToken(
  context: OrganizationContext,
  { body }: { body: CreateToken },
): Promise<Token & { token: string }> {
  const { member, secrets, store } = context;
  if (!isAtLeast(member.role, body.role)) {
    throw new ApiError(
      "forbidden",
      `Your role is ${member.role}: you cannot create a token with the role ${body.role}.`,
    );
  }
  const scopes = chooseScopes(context, body);
  const expiresAt = body.days == null ? null : new Date(context.now().getTime() + body.days * dayMs).toISOString();
  const ownEnd = context.caller.expiresAt;
  if (ownEnd !== null && (expiresAt === null || expiresAt > ownEnd)) {
    throw new ApiError("forbidden", `Your token expires at ${ownEnd}: it cannot create one that lasts longer.`);
  }
  const { secret, hash, hint } = secrets.mintToken();
  const token = await store.transaction(async (inside) => {
    const made = await inside.tokens.create(context.access, {
      name: body.name,
      role: body.role,
      scopes,
      statusStyle: body.status_style,
      hint,
      expiresAt,
      hash,
    });
    await recordAct(inside, context, {
      act: "token.created",
      object: tokenObject(made),
      details: { role: made.role, scopes: made.scopes, expires_at: made.expiresAt },
    });
    return made;
  });
  return { ...presentToken(token), token: secret };
}

/** Revokes a token at once. 404 for one the caller may not see. */
export async function deleteToken(
  context: OrganizationContext,
  { params }: { params: { token_id: number } },
): Promise<Token> {
  return await context.store.transaction(async (store) => {
    const token = await store.tokens.revoke(context.access, params.token_id, reachOf(context));
    if (token === null) throw notFound("Token");
    await recordAct(store, context, {
      act: "token.revoked",
      object: tokenObject(token),
      details: { user_id: token.userId },
    });
    return presentToken(token);
  });
}

const tokenObject = ({ id, name }: TokenRow) => ({ type: "token", id, name });

/** With `org:admin` a caller reaches everybody's tokens. Without it a person reaches their own, a token only itself. */
function reachOf({ caller, member, access }: OrganizationContext): TokenFilter {
  if (member.scopes.includes("org:admin")) return {};
  return caller.tokenId === null ? { userId: access.userId } : { tokenId: caller.tokenId };
}

function chooseScopes({ member }: OrganizationContext, body: CreateToken): Scope[] {
  const ofRole = scopesOf(body.role);
  if (body.scopes == null) {
    const shared = ofRole.filter((scope) => member.scopes.includes(scope));
    if (shared.length > 0) return shared;
    throw new ApiError(
      "forbidden",
      `You cannot create a token with the role ${body.role}: you have none of its scopes.`,
    );
  }
  const beyondRole = body.scopes.find((scope) => !ofRole.includes(scope));
  if (beyondRole !== undefined) {
    throw invalidField(["scopes"], `${beyondRole} is not among the scopes of the role ${body.role}`);
  }
  const beyondCaller = body.scopes.find((scope) => !member.scopes.includes(scope));
  if (beyondCaller !== undefined) {
    throw new ApiError("forbidden", `You do not have the scope ${beyondCaller} yourself.`);
  }
  return [...new Set(body.scopes)];
}

function presentListed(token: ListedTokenRow): ListedToken {
  return { ...presentToken(token), user_name: token.userName };
}

function presentToken(token: TokenRow): Token {
  return {
    id: token.id,
    name: token.name,
    role: token.role,
    scopes: token.scopes,
    status_style: token.statusStyle,
    user_id: token.userId,
    hint: token.hint,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
  };
}
