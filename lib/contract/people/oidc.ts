import { z } from "zod";
import { defineOperation } from "#lib/contract/define-operation.ts";
import { FilledText } from "#lib/contract/text.ts";
import { User } from "./organization.ts";

export const getOidc = defineOperation({
  id: "getOidc",
  summary: "Get whether people can sign in with OpenID Connect",
  scope: null,
  rateClass: "none",
  result: z
    .object({
      enabled: z.boolean().describe("Whether a provider is set up"),
      name: z.string().nullable().describe("The provider's name; null if none is set up"),
    })
    .meta({ example: { name: "Acme sign-in" } }),
});

export const startOidc = defineOperation({
  id: "startOidc",
  summary: "Start signing in a browser with OpenID Connect",
  description:
    "Returns the provider's address for this sign-in, valid once, for 10 minutes. The provider sends the browser back to /login/oidc. " +
    "409 if no provider is set up, 503 if it is down. Attempts are limited by IP address.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  refusals: ["conflict", "unavailable"],
  result: z.object({
    url: z
      .string()
      .describe("The provider's page, where the browser goes next")
      .meta({ example: "https://login.example.com/authorize?client_id=errand" }),
    browser_secret: z
      .string()
      .describe("Kept by the browser that started the sign-in, to prove that the same browser returns")
      .meta({ example: "q8Wn3ZtVb6Yx1Rk5" }),
  }),
});

export const finishOidc = defineOperation({
  id: "finishOidc",
  summary: "Sign in a browser with the response of the OpenID Connect provider",
  description:
    "The response sets the session cookie. 400 if the provider's response does not match this browser's request, or cannot be verified; " +
    "403 where the person may not sign in: no mapped group, another domain, an address that is not verified, or removed from the " +
    "organization. Anyone with an open invitation is signed in even without a group, and can then accept it. " +
    "Attempts are limited by IP address.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  changesSession: true,
  refusals: ["conflict", "unavailable"],
  body: z
    .object({
      query: FilledText(8192).describe("Query of the address the provider sent the browser back to"),
      browser_secret: FilledText(100).describe("The `browser_secret` that POST …/oidc/start gave this browser"),
      invitation_code: FilledText(100).nullish().describe("Code of an invitation that the person is going to accept"),
    })
    .meta({ example: { query: "code=…&state=…", browser_secret: "…" } }),
  result: z.object({ user: User.describe("The person who is signed in") }),
});
