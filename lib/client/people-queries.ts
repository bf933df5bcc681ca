import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { acceptInvitation, getInvitation, listInvitations } from "#lib/contract/invitation.ts";
import { getPasswordReset, resetPassword } from "#lib/contract/member.ts";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { getMe, listUsers } from "#lib/contract/organization.ts";
import { getCliRules } from "#lib/contract/organization-settings.ts";
import { listSessions } from "#lib/contract/profile.ts";
import { allPages } from "./all-pages.ts";
import { queryKeys } from "./query-keys.ts";
import { browserTransport, call, type Transport } from "./request.ts";

/** The person who is signed in. */
export function meQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.me,
    queryFn: ({ signal }) => call(getMe, { signal }, transport),
    staleTime: 60_000,
  });
}

/** A page of the people of the organization, a hundred a page; `page` from 1. */
export function membersQuery(orgId: number, page: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.members(orgId), page],
    queryFn: ({ signal }) =>
      call(listUsers, { params: { org_id: orgId }, query: { page, limit: 100 }, signal }, transport),
    placeholderData: keepPreviousData,
  });
}

/** All people of the organization, to choose from. */
export function peopleQuery(orgId: number) {
  return queryOptions({
    queryKey: [...queryKeys.members(orgId), "all"],
    queryFn: ({ signal }) =>
      allPages((query) => call(listUsers, { params: { org_id: orgId }, query, signal }, browserTransport)),
    staleTime: 60_000,
  });
}

/** The open invitations, newest first; for those with `org:admin`. */
export function invitationsQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.invitations(orgId),
    queryFn: ({ signal }) =>
      allPages((query) => call(listInvitations, { params: { org_id: orgId }, query, signal }, transport)),
  });
}

/** The rules that one's agents are given, of the organization and one's own. */
export function cliRulesQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.cliRules(orgId),
    queryFn: ({ signal }) => call(getCliRules, { params: { org_id: orgId }, signal }, transport),
  });
}

/** The browsers in which the person is signed in. */
export function sessionsQuery(transport = browserTransport) {
  return queryOptions({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => call(listSessions, { signal }, transport),
  });
}

/** What an invitation is for, by its code. */
export function readInvitation(code: string, transport: Transport) {
  return call(getInvitation, { params: { code } }, transport);
}

/** Accepts an invitation in this browser. */
export function acceptInvitationHere(code: string, body: BodyInputOf<typeof acceptInvitation>) {
  return call(acceptInvitation, { params: { code }, body });
}

/** Whose password a reset link sets, by its code. */
export function readReset(code: string, transport: Transport) {
  return call(getPasswordReset, { params: { code } }, transport);
}

/** Sets a new password by a reset link, and signs this browser in. */
export function resetPasswordHere(code: string, password: string) {
  return call(resetPassword, { params: { code }, body: { password } });
}
