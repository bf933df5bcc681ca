import { z } from "zod";
import { defineOperation } from "./define-operation.ts";
import { User } from "./organization.ts";
import { Rules } from "./organization-settings.ts";
import { GivenPassword, NewPassword } from "./password.ts";
import { Email, FullName, SignInWay } from "./person.ts";
import { Instant } from "./text.ts";

const tag = "People";

/** A browser in which the person is signed in. */
export const Session = z.object({
  current: z.boolean().describe("The browser that asks"),
  way: SignInWay.describe("How it was signed in"),
  user_agent: z.string().nullable().describe("What the browser called itself when it signed in"),
  created_at: Instant.describe("When it was signed in"),
  last_seen_at: Instant.nullable().describe("When the browser asked last, to the minute; null: never"),
  expires_at: Instant.describe("When it is signed out by itself"),
});
export type Session = z.infer<typeof Session>;

/** Request body of `PATCH users/me`; what is left out stays. */
export const UpdateMe = z.object({
  full_name: FullName.optional().describe("Your name"),
  email: Email.optional(),
  rules: Rules.nullable()
    .optional()
    .describe(
      "Given to the agent with the first message of each run that you start, after the organization's; null for none. `cli/rules` answers them as `user_custom_prompt`",
    ),
  current_password: GivenPassword.nullish().describe(
    "Needed to change the email address where a password is set, unless a printed link signed this browser in within the last hour",
  ),
});
export type UpdateMe = z.infer<typeof UpdateMe>;

/** Request body of `PUT users/me/password`. */
export const ChangePassword = z.object({
  password: NewPassword,
  current_password: GivenPassword.nullish().describe(
    "Needed where a password is set, unless a printed link signed this browser in within the last hour",
  ),
});
export type ChangePassword = z.infer<typeof ChangePassword>;

export const updateMe = defineOperation({
  id: "updateMe",
  method: "PATCH",
  path: "/v1/users/me",
  tag,
  summary: "Change your name, email address or rules for agents",
  scope: "any",
  sessionOnly: true,
  takesPassword: true,
  body: UpdateMe,
  result: User,
});

export const changePassword = defineOperation({
  id: "changePassword",
  method: "PUT",
  path: "/v1/users/me/password",
  tag,
  summary: "Change your password",
  description: "Your other sessions end; reset links that were made for you too.",
  scope: "any",
  sessionOnly: true,
  takesPassword: true,
  body: ChangePassword,
  result: User,
});

export const listSessions = defineOperation({
  id: "listSessions",
  method: "GET",
  path: "/v1/users/me/sessions",
  tag,
  summary: "List the browsers in which you are signed in, newest first",
  description: "At most 100.",
  scope: "any",
  sessionOnly: true,
  result: z.object({ items: z.array(Session).describe("Your browsers, newest first") }),
});

export const endOtherSessions = defineOperation({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/v1/users/me/sessions",
  tag,
  summary: "Sign out everywhere but here",
  description: "Open streams of the other browsers close within 5 seconds. API tokens stay.",
  scope: "any",
  sessionOnly: true,
  result: z.object({ ended: z.int().describe("How many sessions ended") }),
});
