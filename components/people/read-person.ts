import { ClientError } from "#lib/client/client-error.ts";
import { meQuery } from "#lib/client/pages/people-queries.ts";
import { makeQueryClient } from "#lib/client/pages/query-client.ts";
import { serverTransport } from "#lib/client/server-transport.ts";
import type { User } from "#lib/contract/people/organization.ts";

/** The signed-in person, with or without an organization; null if nobody is signed in. Server only. */
export async function findPerson(): Promise<User | null> {
  try {
    return await makeQueryClient().fetchQuery(meQuery(await serverTransport()));
  } catch (error) {
    if (error instanceof ClientError && error.status === 401) return null;
    throw error;
  }
}

/** Purpose of a person's link, or the reason it does not work (any more). */
export type LinkOutcome<T> = { kind: "found"; value: T } | { kind: "ended" | "failed"; detail: string };

/** Reads a link's purpose, on the server. */
export async function readLink<T>(read: Promise<T>): Promise<LinkOutcome<T>> {
  try {
    return { kind: "found", value: await read };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return { kind: error.status === 404 ? "ended" : "failed", detail: error.message };
  }
}
