import { z } from "zod";
import { defineOperation } from "./define-operation.ts";
import { User } from "./organization.ts";
import { FilledText } from "./text.ts";

const tag = "Session";

export const getOidc = defineOperation({
  id: "getOidc",
  method: "GET",
  path: "/v1/session/oidc",
  tag,
  summary: "Get whether people sign in by OpenID Connect",
  scope: null,
  rateClass: "none",
  result: z.object({
    enabled: z.boolean().describe("A provider is set"),
    name: z.string().nullable().describe("What the provider is called; null where none is set"),
  }),
});

export const startOidc = defineOperation({
  id: "startOidc",
  method: "POST",
  path: "/v1/session/oidc/start",
  tag,
  summary: "Begin to sign a browser in by OpenID Connect",
  description:
    "Gives the provider's address for this sign-in, good for 10 minutes and once. The provider leads back to /login/oidc. " +
    "503 where no provider is set, or it is down. Attempts are limited by address.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  result: z.object({
    url: z.string().describe("The provider's page, where the browser goes next"),
    browser_secret: z.string().describe("Stays in the browser that began, which proves by it that it is the same one"),
  }),
});

export const finishOidc = defineOperation({
  id: "finishOidc",
  method: "POST",
  path: "/v1/session/oidc",
  tag,
  summary: "Sign a browser in with the answer of the OpenID Connect provider",
  description:
    "The answer sets the session cookie. 400 where the provider's answer is not one to this browser's question, or cannot be verified; " +
    "403 where the person may not sign in: no mapped group, another domain, an address that is not verified, or removed from the " +
    "organization. Attempts are limited by address.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  body: z.object({
    query: FilledText(8192).describe("The query of the address that the provider led back to"),
    browser_secret: FilledText(100).describe("The `browser_secret` that POST …/oidc/start gave this browser"),
  }),
  result: z.object({ user: User.describe("The person who is signed in") }),
});
