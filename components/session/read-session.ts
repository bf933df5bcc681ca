import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { ClientError } from "#lib/client/client-error.ts";
import { organizationsQuery, sessionQuery } from "#lib/client/pages/queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import type { Transport } from "#lib/client/request.ts";
import { serverTransport } from "#lib/client/server-transport.ts";
import type { Organization, User } from "#lib/contract/people/organization.ts";
import { loginPath } from "./login-path.ts";

/** The signed-in person, for server code. */
export type ServerSession = {
  user: User;
  /** The session's chosen organization, and all of the person's. */
  organization: Organization;
  organizations: Organization[];
  isInstanceOwner: boolean;
  origin: string;
  transport: Transport;
};

/**
 * The signed-in person, or null. Cached per page. Throws if the service cannot respond, or if the person belongs to no
 * organization.
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

/** The signed-in person; if there is none, redirects to the sign-in page, and from there back to `path`. For pages. */
export async function requireSession(path: string): Promise<ServerSession> {
  return (await findSession()) ?? redirect(loginPath(path));
}

/** Address at which the reader's browser reaches the service, according to its request: `https://errand.example`. */
export async function requestOrigin(): Promise<string> {
  const request = await headers();
  const scheme = request.get("x-forwarded-proto") === "https" ? "https" : "http";
  return `${scheme}://${request.get("host") ?? "localhost"}`;
}
