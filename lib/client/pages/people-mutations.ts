"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call } from "#lib/client/request.ts";
import { queryKeys } from "./query-keys.ts";

/** Creates an invitation; only the response has its link. */
export function useCreateInvitation(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"createInvitation">) => call("createInvitation", { params: { org_id: orgId }, body }),
    // Not awaited: the link is shown as soon as it exists.
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) }),
    // The link is shown once: nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
  });
}

/** Withdraws an invitation. */
export function useWithdrawInvitation(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: number) =>
      call("deleteInvitation", { params: { org_id: orgId, invitation_id: invitationId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) }),
  });
}

/** Changes a member's role. */
export function useUpdateMember(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, body }: { userId: number; body: CallBody<"updateMember"> }) =>
      call("updateMember", { params: { org_id: orgId, user_id: userId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.members(orgId) }),
  });
}

/** Removes a member. */
export function useRemoveMember(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (userId: number) => call("removeMember", { params: { org_id: orgId, user_id: userId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) });
      return client.invalidateQueries({ queryKey: queryKeys.members(orgId) });
    },
  });
}

/** Creates a link that sets a member's new password; only the response has it. */
export function useCreateReset(orgId: number) {
  return useMutation({
    mutationFn: (userId: number) => call("createPasswordReset", { params: { org_id: orgId, user_id: userId } }),
    gcTime: 0,
  });
}
