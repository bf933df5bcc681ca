import { z } from "zod";
import { defineOperation } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";
import { User } from "./organization.ts";
import { Rules } from "./organization-settings.ts";
import { GivenPassword, NewPassword } from "./password.ts";
import { Email, FullName, GithubUsername, SignInWay } from "./person.ts";

/** A browser the person is signed in with. */
export const Session = z.object({
  current: z.boolean().describe("Whether it is the browser making the request"),
  way: SignInWay.describe("How it was signed in"),
  user_agent: z
    .string()
    .nullable()
    .describe("How the browser identified itself when it signed in")
    .meta({ example: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }),
  created_at: Instant.describe("When it signed in"),
  last_seen_at: Instant.nullable()
    .describe("When the browser last made a request, to the minute; null: never")
    .meta({ example: "2026-01-31T10:30:00.000Z" }),
  expires_at: Instant.describe("When the session expires").meta({ example: "2026-03-02T09:00:00.000Z" }),
});
z.globalRegistry.add(Session, { id: "Session" });
export type Session = z.infer<typeof Session>;

/** Request body of `PATCH users/me`; fields left out stay. */
export const UpdateMe = z.object({
  full_name: FullName.optional().describe("Your name").meta({ example: "Grace Hopper" }),
  email: Email.optional(),
  github_username: GithubUsername.nullable()
    .optional()
    .describe(
      "Your name on GitHub; null for none. If an organization of yours is connected to GitHub, it is looked up there, which also sets `github_user_id`",
    ),
  rules: Rules.nullable()
    .optional()
    .describe(
      "Given to the agent with the first message of each run you start, after the organization's; null for none. `cli/rules` returns them as `user_custom_prompt`",
    ),
  current_password: GivenPassword.nullish().describe(
    "Needed to change the email address if a password is set, unless this browser signed in with a sign-in link within the last hour",
  ),
});
z.globalRegistry.add(UpdateMe, { id: "UpdateMe" });
export type UpdateMe = z.infer<typeof UpdateMe>;

/** Request body of `PUT users/me/password`. */
export const ChangePassword = z.object({
  password: NewPassword,
  current_password: GivenPassword.nullish()
    .describe("Needed if a password is set, unless this browser signed in with a sign-in link within the last hour")
    .meta({ example: "the old one" }),
});
export type ChangePassword = z.infer<typeof ChangePassword>;

export const updateMe = defineOperation({
  id: "updateMe",
  summary: "Change your name, email address or rules for agents",
  scope: "any",
  sessionOnly: true,
  takesPassword: true,
  refusals: ["conflict"],
  body: UpdateMe,
  result: User,
  ifMatch: true,
  tagged: true,
});

export const changePassword = defineOperation({
  id: "changePassword",
  summary: "Change your password",
  description: "Your other sessions end, and so do reset links created for you.",
  scope: "any",
  sessionOnly: true,
  takesPassword: true,
  body: ChangePassword,
  result: User,
});

export const listSessions = defineOperation({
  id: "listSessions",
  summary: "List the browsers you are signed in with, newest first",
  description: "At most 100.",
  scope: "any",
  sessionOnly: true,
  result: z.object({ items: z.array(Session).describe("Your browsers, newest first") }),
});

export const endOtherSessions = defineOperation({
  id: "endOtherSessions",
  summary: "Sign out everywhere but here",
  description: "Open streams of the other browsers close within 5 seconds. API tokens stay.",
  scope: "any",
  sessionOnly: true,
  notTried: "It ends sessions.",
  result: z.object({ ended: z.int().describe("How many sessions ended") }),
});
