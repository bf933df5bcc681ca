import { z } from "zod";
import { FilledText, Text } from "./text.ts";

/** What a person is called. */
export const FullName = FilledText(100);

/** The address by which somebody signs in. It is compared without regard to case, and no mail is sent to it. */
export const Email = Text(254)
  .regex(/^[^\s@]+@[^\s@]+$/, "must be an email address")
  .describe("For signing in; upper and lower case are the same. No mail is sent to it");

/** How somebody can sign in: by a password of their own, by a link that the service printed, or by OpenID Connect. */
export const SignInWay = z.enum(["password", "link", "openid_connect"]);
export type SignInWay = z.infer<typeof SignInWay>;
