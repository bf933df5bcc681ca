"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { changePassword, endOtherSessions, updateMe } from "#lib/contract/profile.ts";
import { signInWithPassword } from "#lib/contract/session.ts";
import { meQuery } from "./people-queries.ts";
import { queryKeys } from "./query-keys.ts";
import { call } from "./request.ts";

/** Changes the person's name or address. */
export function useUpdateMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof updateMe>) => call(updateMe, { body }),
    onSuccess: (user) => client.setQueryData(meQuery().queryKey, user),
  });
}

/** Sets what the person tells the agents of their runs; null for nothing. */
export function useChangeOwnRules(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rules: string | null) => call(updateMe, { body: { rules } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.cliRules(orgId) }),
  });
}

/** Sets the person's password; their other sessions end. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof changePassword>) => call(changePassword, { body }),
    onSuccess: (user) => {
      client.setQueryData(meQuery().queryKey, user);
      return client.invalidateQueries({ queryKey: queryKeys.sessions });
    },
  });
}

/** Signs the person out everywhere but here. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endOtherSessions, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}

/** Signs this browser in by address and password. */
export function signInWithPasswordHere(body: BodyInputOf<typeof signInWithPassword>) {
  return call(signInWithPassword, { body });
}
