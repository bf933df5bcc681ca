import { z } from "zod";
import { NameText, Text, unseen } from "#lib/contract/text.ts";

/** A person's name. */
export const FullName = NameText(100);

/**
 * An address as stored and compared: upper and lower case are the same, and so are characters that Unicode's NFKC makes the
 * same, such as full-width letters.
 */
export function sameAddress(email: string): string {
  return email.trim().normalize("NFKC").toLowerCase();
}

/** Email address for signing in. Compared as {@link sameAddress} does; no email is sent to it. */
export const Email = Text(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  // A domain may end with a dot (RFC 1034, section 3.1), which would be a second spelling of the same address.
  .refine((email) => /^[^\s@]+@[^\s@]*[^\s@.]$/.test(sameAddress(email)), "must be an email address")
  .refine((email) => !unseen.test(email), "must not contain control, invisible or direction characters")
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
