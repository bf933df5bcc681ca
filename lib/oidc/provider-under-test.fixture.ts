import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { OidcSettings } from "./settings.ts";

/** A person known to the provider. */
export type Account = {
  sub: string;
  name?: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
};

const clientId = "errand";
const clientSecret = "a secret of the client";

/** A real OpenID Connect provider on this machine. Everyone is signed in as `account`, without being asked. */
export class ProviderUnderTest {
  account: Account = { sub: "ada" };
  readonly issuer: string;
  readonly #server: Server;

  private constructor(server: Server, issuer: string) {
    this.#server = server;
    this.issuer = issuer;
  }

  static async start(redirectUri: string): Promise<ProviderUnderTest> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const under = new ProviderUnderTest(server, issuer);
    const provider = providerOf(issuer, redirectUri, () => under.account);
    const handle = provider.callback();
    server.on("request", (request, response) => {
      if (!request.url?.startsWith("/interaction/")) return void handle(request, response);
      const login = { accountId: under.account.sub };
      void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
    });
    return under;
  }

  /** Settings with which a service trusts this provider. */
  settings(changes: Partial<OidcSettings> = {}): OidcSettings {
    return {
      issuer: new URL(this.issuer),
      clientId,
      clientSecret,
      name: "Example",
      scopes: "openid profile email groups",
      groupsClaim: "groups",
      groupRoles: [],
      defaultRole: null,
      allowedDomains: [],
      ...changes,
    };
  }

  /** Environment with which a service trusts this provider. */
  environment(): Record<string, string> {
    return {
      ERRAND_OIDC_ISSUER: this.issuer,
      ERRAND_OIDC_CLIENT_ID: clientId,
      ERRAND_OIDC_CLIENT_SECRET: clientSecret,
      ERRAND_OIDC_NAME: "Example",
      ERRAND_OIDC_SCOPES: "openid profile email groups",
    };
  }

  /** Goes through the provider's pages as a new browser would; returns the query it sends back. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = new URL(url);
    while (next.origin === this.issuer) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const response = await fetch(next, { redirect: "manual", headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=", 2);
        cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location === null) throw new Error(`${next.pathname}: ${response.status} ${await response.text()}`);
      next = new URL(location, next);
    }
    return next.search.slice(1);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function providerOf(issuer: string, redirectUri: string, account: () => Account): Provider {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "1" };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "profile", "email", "groups"],
    jwks: { keys: [key as never] },
    cookies: { keys: ["a key"] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ ...account(), sub: accountId }) }),
    // No consent page.
    async loadExistingGrant(context) {
      const grant = new provider.Grant({ clientId, accountId: context.oidc.session?.accountId ?? "" });
      grant.addOIDCScope("openid profile email groups");
      await grant.save();
      return grant;
    },
  });
  return provider;
}
