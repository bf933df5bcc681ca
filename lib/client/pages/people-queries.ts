import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { allPages } from "#lib/client/all-pages.ts";
import { browserTransport, type CallBody, call, type Transport } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** The signed-in person. */
export function meQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.me,
    queryFn: ({ signal }) => call("getMe", { signal }, transport),
    staleTime: 60_000,
  });
}

/** A page of the organization's people, a hundred per page; `page` from 1. */
export function membersQuery(orgId: number, page: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.members(orgId), page],
    queryFn: ({ signal }) =>
      call("listUsers", { params: { org_id: orgId }, query: { page, limit: 100 }, signal }, transport),
    placeholderData: keepPreviousData,
  });
}

/** All people of the organization, for pickers. */
export function peopleQuery(orgId: number) {
  return queryOptions({
    queryKey: [...queryKeys.members(orgId), "all"],
    queryFn: ({ signal }) =>
      allPages((query) => call("listUsers", { params: { org_id: orgId }, query, signal }, browserTransport)),
    staleTime: 60_000,
  });
}

/** Open invitations, newest first; for those with `org:admin`. */
export function invitationsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.invitations(orgId),
    queryFn: ({ signal }) =>
      allPages((query) => call("listInvitations", { params: { org_id: orgId }, query, signal }, transport)),
  });
}

/** Rules for the person's agents, the organization's and their own. */
export function cliRulesQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.cliRules(orgId),
    queryFn: ({ signal }) => call("getCliRules", { params: { org_id: orgId }, signal }, transport),
  });
}

/** Browsers the person is signed in with. */
export function sessionsQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => call("listSessions", { signal }, transport),
  });
}

/** Details of an invitation, by its code. */
export function readInvitation(code: string, transport: Transport) {
  return call("getInvitation", { params: { code } }, transport);
}

/** Accepts an invitation in this browser. */
export function acceptInvitationHere(code: string, body: CallBody<"acceptInvitation">) {
  return call("acceptInvitation", { params: { code }, body });
}

/** Whose password a reset link resets, by its code. */
export function readReset(code: string, transport: Transport) {
  return call("getPasswordReset", { params: { code } }, transport);
}

/** Sets a new password with a reset link, and signs this browser in. */
export function resetPasswordHere(code: string, password: string) {
  return call("resetPassword", { params: { code }, body: { password } });
}
