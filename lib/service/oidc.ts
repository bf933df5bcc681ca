import { createHmac } from "node:crypto";
import { ApiError, invalidField } from "#lib/contract/error.ts";
import type { BodyOf } from "#lib/contract/operation.ts";
import type { finishOidc as finishOidcOperation } from "#lib/contract/people/oidc.ts";
import { OidcError, type OidcIdentity, type OidcProof, type OidcProvider } from "#lib/oidc/provider.ts";
import { recordFailedSignIn } from "./audit.ts";
import { signInIdentity } from "./oidc-people.ts";
import { presentPersonOfSession } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

const attemptMs = 10 * 60_000;

/** Whether there is a provider, and its name. */
export async function getOidc({ oidc }: ServiceContext) {
  return { enabled: oidc !== null, name: oidc?.provider.name ?? null };
}

/** Starts a sign-in: where the browser goes, and what it stores. 503 if there is no provider, or it is down. */
export async function startOidc(context: ServiceContext) {
  const { provider } = requireOidc(context);
  const { secrets } = context;
  const state = secrets.mintSession().secret;
  const browser = secrets.mintSession().secret;
  const url = await asked(context, () => provider.begin(redirectUri(context), proofOf(state, browser)));
  const expiresAt = new Date(context.now().getTime() + attemptMs).toISOString();
  await context.store.identities.begin({ hash: attemptHash(context, state, browser), expiresAt });
  return { url, browser_secret: browser };
}

/**
 * Completes a sign-in with the provider's response. 400 if it does not belong to this browser, is repeated or cannot be
 * verified; 403 if the person may not sign in; 503 if the provider is down.
 */
export async function finishOidc(
  context: ServiceContext,
  { body }: { body: BodyOf<typeof finishOidcOperation> },
): Promise<SessionChange> {
  const { provider, rules } = requireOidc(context);
  const state = new URLSearchParams(body.query).get("state") ?? "";
  const isOurs = await context.store.identities.use(attemptHash(context, state, body.browser_secret));
  if (!isOurs) {
    const msg = "this sign-in was not begun in this browser, has already been used or has expired; sign in again";
    throw invalidField(["query"], msg, { isFailedAuthentication: true });
  }
  const identity = await asked(context, () =>
    provider.finish(redirectUri(context), body.query, proofOf(state, body.browser_secret)),
  );
  const done = await signInIdentity(context, rules, identity, await isOpenInvitation(context, body.invitation_code));
  if ("refused" in done) return await refuse(context, identity, done.refused);
  return new SessionChange({ user: await presentPersonOfSession(context.store, done.userId) }, done.secret);
}

async function isOpenInvitation({ store, secrets }: ServiceContext, code: string | null | undefined): Promise<boolean> {
  return code != null && "invitation" in (await store.invitations.findByHash(secrets.hashSecret(code)));
}

async function refuse(context: ServiceContext, { issuer, subject }: OidcIdentity, reason: string): Promise<never> {
  const known = await context.store.identities.find(issuer, subject);
  if (known !== null) await recordFailedSignIn(context.store, context, known, { how: "oidc", reason });
  throw new ApiError("forbidden", reason);
}

/** Calls the provider; its failures become API errors. */
async function asked<T>({ logger }: ServiceContext, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof OidcError)) throw error;
    logger.warn({ err: error, cause: error.cause }, "sign-in by OpenID Connect failed");
    if (error.reason === "unreachable") throw new ApiError("unavailable", error.message, { cause: error });
    throw invalidField(["query"], error.message, { isFailedAuthentication: true });
  }
}

function requireOidc({ oidc }: ServiceContext): {
  provider: OidcProvider;
  rules: NonNullable<ServiceContext["oidc"]>["rules"];
} {
  if (oidc === null) {
    throw new ApiError(
      "conflict",
      "No sign-in provider is set up here: set ERRAND_OIDC_ISSUER and ERRAND_OIDC_CLIENT_ID.",
    );
  }
  return oidc;
}

/** The page the provider redirects to; it must be registered there. */
const redirectUri = ({ publicUrl }: ServiceContext) => `${publicUrl}/login/oidc`;

/** No secret is stored here: nonce and verifier are derived from what only the browser has. */
function proofOf(state: string, browserSecret: string): OidcProof {
  const derive = (what: string) => createHmac("sha256", browserSecret).update(`${what}:${state}`).digest("base64url");
  return { state, nonce: derive("nonce"), verifier: derive("pkce") };
}

function attemptHash({ secrets }: ServiceContext, state: string, browserSecret: string): Uint8Array {
  return secrets.hashSecret(`${state}:${browserSecret}`);
}
