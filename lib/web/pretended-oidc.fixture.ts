import type { OidcProvider } from "#lib/oidc/provider.ts";
import type { OidcRules } from "#lib/oidc/settings.ts";

/** A provider that trusts everyone, for tests around it: the code is the subject. */
export const pretendedOidc: { provider: OidcProvider; rules: OidcRules } = {
  provider: {
    name: "Pretended",
    begin: async (_redirectUri, { state }) => `https://provider.example/?state=${state}`,
    finish: async (_redirectUri, query) => ({
      issuer: "https://provider.example",
      subject: new URLSearchParams(query).get("code") ?? "nobody",
      email: null,
      isEmailVerified: false,
      name: "Somebody",
      groups: [],
    }),
  },
  rules: { groupRoles: [], defaultRole: "member", allowedDomains: [] },
};
