import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { ClientError } from "#lib/client/client-error.ts";
import { organizationsQuery, sessionQuery } from "#lib/client/queries.ts";
import { makeQueryClient } from "#lib/client/query-client.ts";
import type { Transport } from "#lib/client/request.ts";
import { serverTransport } from "#lib/client/server-transport.ts";
import type { Organization, User } from "#lib/contract/organization.ts";
import { loginPath } from "./login-path.ts";

/** Who is signed in, for code that runs on the server. */
export type ServerSession = {
  user: User;
  /** The one that the session has chosen, and all of the person's. */
  organization: Organization;
  organizations: Organization[];
  isInstanceOwner: boolean;
  origin: string;
  transport: Transport;
};

/**
 * Who is signed in, or null. Asked once for a page, however many parts of it ask.
 * Throws where the service cannot answer, or where the person belongs to no organization.
 */
export const findSession = cache(async (): Promise<ServerSession | null> => {
  const transport = await serverTransport();
  const client = makeQueryClient();
  try {
    const [{ user, organization, is_instance_owner }, { items }] = await Promise.all([
      client.fetchQuery(sessionQuery(transport)),
      client.fetchQuery(organizationsQuery(transport)),
    ]);
    if (organization === null) throw new ClientError("forbidden", "You do not belong to any organization.");
    return {
      user,
      organization,
      organizations: items,
      isInstanceOwner: is_instance_owner,
      transport,
      origin: await requestOrigin(),
    };
  } catch (error) {
    if (error instanceof ClientError && error.status === 401) return null;
    throw error;
  }
});

/** Who is signed in; leads to the sign-in page, and from there back to `path`, where nobody is. For pages. */
export async function requireSession(path: string): Promise<ServerSession> {
  return (await findSession()) ?? redirect(loginPath(path));
}

/** Where the reader's browser reaches the service, as far as its request tells: `https://errand.example`. */
export async function requestOrigin(): Promise<string> {
  const request = await headers();
  const scheme = request.get("x-forwarded-proto") === "https" ? "https" : "http";
  return `${scheme}://${request.get("host") ?? "localhost"}`;
}
