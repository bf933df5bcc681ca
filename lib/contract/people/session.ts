import { z } from "zod";
import { defineOperation } from "#lib/contract/define-operation.ts";
import { FilledText, Text } from "#lib/contract/text.ts";
import { User } from "./organization.ts";
import { GivenPassword } from "./password.ts";

export const signIn = defineOperation({
  id: "signIn",
  summary: "Sign in a browser with the code of a sign-in link",
  description: "A code works once, for 15 minutes. The response sets the session cookie.",
  scope: null,
  rateClass: "none",
  changesSession: true,
  refusals: ["rate_limited"],
  body: z.object({ code: FilledText(200).describe("The code of the link").meta({ example: "the-code-of-the-link" }) }),
  result: z.object({ user: User.describe("The person who is signed in") }),
});

export const signInWithPassword = defineOperation({
  id: "signInWithPassword",
  summary: "Sign in a browser with an email address and a password",
  description:
    "The response sets the session cookie. A wrong password and an unknown address give the same 400; 403 if the account belongs to no organization, or no longer does. " +
    "Attempts are limited by IP address, whether or not they succeed.",
  scope: null,
  rateClass: "none",
  takesPassword: true,
  changesSession: true,
  body: z.object({
    email: Text(254)
      .describe("The account's address; upper and lower case are the same")
      .meta({ example: "grace@example.com" }),
    password: GivenPassword.describe("The account's password").meta({ example: "a long sentence you remember" }),
  }),
  result: z.object({ user: User.describe("The person who is signed in") }),
});

export const signOut = defineOperation({
  id: "signOut",
  summary: "Sign out this browser",
  scope: null,
  rateClass: "none",
  changesSession: true,
  notTried: "It ends sessions.",
  result: z.object({ signed_out: z.literal(true).describe("Always true") }),
});
