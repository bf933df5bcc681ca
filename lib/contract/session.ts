import { z } from "zod";
import { defineOperation } from "./define-operation.ts";
import { User } from "./organization.ts";
import { FilledText } from "./text.ts";

const tag = "Session";

export const signIn = defineOperation({
  id: "signIn",
  method: "POST",
  path: "/v1/session",
  tag,
  summary: "Sign a browser in with the code of a sign-in link",
  description: "A code works once, for 15 minutes. The answer sets the session cookie.",
  scope: null,
  rateClass: "none",
  body: z.object({ code: FilledText(200) }),
  result: z.object({ user: User }),
});

export const signOut = defineOperation({
  id: "signOut",
  method: "DELETE",
  path: "/v1/session",
  tag,
  summary: "Sign this browser out",
  scope: null,
  rateClass: "none",
  result: z.object({ signed_out: z.literal(true) }),
});
