"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createInvitation, deleteInvitation } from "#lib/contract/invitation.ts";
import { createPasswordReset, removeMember, updateMember } from "#lib/contract/member.ts";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { queryKeys } from "./query-keys.ts";
import { call } from "./request.ts";

/** Makes an invitation; the answer alone holds its link. */
export function useCreateInvitation(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof createInvitation>) =>
      call(createInvitation, { params: { org_id: orgId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) }),
    // The link is shown once: nothing keeps it longer than the dialog that shows it.
    gcTime: 0,
  });
}

/** Withdraws an invitation. */
export function useWithdrawInvitation(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: number) =>
      call(deleteInvitation, { params: { org_id: orgId, invitation_id: invitationId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) }),
  });
}

/** Changes a member's role. */
export function useUpdateMember(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, body }: { userId: number; body: BodyInputOf<typeof updateMember> }) =>
      call(updateMember, { params: { org_id: orgId, user_id: userId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.members(orgId) }),
  });
}

/** Removes a member. */
export function useRemoveMember(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (userId: number) => call(removeMember, { params: { org_id: orgId, user_id: userId } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: queryKeys.invitations(orgId) });
      return client.invalidateQueries({ queryKey: queryKeys.members(orgId) });
    },
  });
}

/** Makes a link that sets a member's new password; the answer alone holds it. */
export function useCreateReset(orgId: number) {
  return useMutation({
    mutationFn: (userId: number) => call(createPasswordReset, { params: { org_id: orgId, user_id: userId } }),
    gcTime: 0,
  });
}
