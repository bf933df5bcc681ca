import { z } from "zod";
import { FilledText, Text } from "./text.ts";

/** A person's name. */
export const FullName = FilledText(100);

/** Email address for signing in. Compared ignoring case; no email is sent to it. */
export const Email = Text(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  .describe("For signing in; upper and lower case are the same. No email is sent to it");

/** A name on GitHub (https://docs.github.com/admin/managing-iam/username-considerations). */
export const GithubUsername = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9]|[-_](?=[A-Za-z0-9])){0,38}$/,
    "must be a GitHub username: at most 39 letters, digits and single hyphens",
  );

/** Ways to sign in: with one's own password, with a link printed by the service, or with OpenID Connect. */
export const SignInWay = z.enum(["password", "link", "openid_connect"]);
export type SignInWay = z.infer<typeof SignInWay>;
