import type * as OpenidClient from "openid-client";
import { z } from "zod";
import type { OidcIdentity, OidcProvider } from "./provider.ts";
import { OidcError } from "./provider.ts";
import type { OidcSettings } from "./settings.ts";

/** Time limit of the provider's response, in seconds. */
const timeoutSeconds = 10;
/** How long the provider's metadata is cached. */
const keptMs = 3_600_000;

/** Claims a provider may make about a person; values of other types count as absent. */
const Claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255),
  email: z.string().max(254).nullish().catch(null),
  email_verified: z
    .union([z.boolean(), z.literal("true").transform(() => true)])
    .nullish()
    .catch(false),
  name: z.string().nullish().catch(null),
  preferred_username: z.string().nullish().catch(null),
});

/** Sign-in with the configured provider. Its library is loaded, and the provider contacted, when somebody first signs in. */
export function openidProvider(settings: OidcSettings): OidcProvider {
  let known: { at: number; configuration: OpenidClient.Configuration } | null = null;

  async function configure(): Promise<{ client: typeof OpenidClient; configuration: OpenidClient.Configuration }> {
    const client = await import("openid-client");
    if (known !== null && performance.now() - known.at < keptMs) return { client, configuration: known.configuration };
    const configuration = await reached(() => discover(client, settings));
    known = { at: performance.now(), configuration };
    return { client, configuration };
  }

  return {
    name: settings.name,
    async begin(redirectUri, { state, nonce, verifier }) {
      const { client, configuration } = await configure();
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
      });
      return url.href;
    },
    async finish(redirectUri, query, { state, nonce, verifier }) {
      const { client, configuration } = await configure();
      const url = new URL(redirectUri);
      url.search = query;
      const tokens = await reached(() =>
        client.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        }),
      );
      const inToken = tokens.claims();
      if (inToken === undefined) throw new OidcError("unverified", "The provider sent no ID token.");
      const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const asked = hasUserinfo
        ? await reached(() => client.fetchUserInfo(configuration, tokens.access_token, inToken.sub))
        : {};
      return identityOf({ ...asked, ...inToken }, settings.groupsClaim);
    },
  };
}

async function discover(client: typeof OpenidClient, settings: OidcSettings): Promise<OpenidClient.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  // The operator chose the address: one without TLS is for providers on the same machine or network.
  const execute = issuer.protocol === "http:" ? [client.allowInsecureRequests] : [];
  const found = await client.discovery(issuer, clientId, undefined, client.None(), {
    execute,
    timeout: timeoutSeconds,
  });
  if (clientSecret === null) return found;
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? client.ClientSecretBasic(clientSecret)
    : client.ClientSecretPost(clientSecret);
  const configuration = new client.Configuration(found.serverMetadata(), clientId, undefined, authentication);
  configuration.timeout = timeoutSeconds;
  for (const extend of execute) extend(configuration);
  return configuration;
}

/** Calls the provider; every failure becomes an {@link OidcError}. */
async function reached<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw oidcError(cause);
  }
}

function oidcError(cause: unknown): OidcError {
  const fields = Object(cause) as {
    name?: unknown;
    code?: unknown;
    error?: unknown;
    cause?: unknown;
    status?: unknown;
  };
  // The provider's own refusal to let the person in.
  if (typeof fields.error === "string") {
    return new OidcError("refused", `The sign-in provider refused: ${fields.error.slice(0, 100)}.`, { cause });
  }
  const isDown =
    cause instanceof TypeError ||
    fields.name === "TimeoutError" ||
    fields.code === "OAUTH_TIMEOUT" ||
    fields.code === "OAUTH_RESPONSE_IS_NOT_CONFORM" ||
    fields.code === "OAUTH_RESPONSE_IS_NOT_JSON";
  if (isDown) {
    return new OidcError("unreachable", "The sign-in provider does not answer as it should. Try again later.", {
      cause,
    });
  }
  return new OidcError("unverified", "The sign-in provider's answer could not be verified. Sign in again.", { cause });
}

function identityOf(claims: Record<string, unknown>, groupsClaim: string): OidcIdentity {
  const parsed = Claims.safeParse(claims);
  if (!parsed.success) throw new OidcError("unverified", "The sign-in provider did not say who you are.");
  const { iss, sub, email, email_verified, name, preferred_username } = parsed.data;
  return {
    issuer: iss,
    subject: sub,
    email: email ?? null,
    isEmailVerified: email_verified === true,
    name: name ?? preferred_username ?? null,
    groups: groupsOf(claims[groupsClaim]),
  };
}

/** A list of names, or one name alone. */
function groupsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
