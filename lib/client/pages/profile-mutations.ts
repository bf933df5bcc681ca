"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type CallBody, call } from "#lib/client/request.ts";
import { meQuery } from "./people-queries.ts";
import { queryKeys } from "./query-keys.ts";

/** Changes the person's name or address. */
export function useUpdateMe() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"updateMe">) => call("updateMe", { body }),
    onSuccess: (user) => client.setQueryData(meQuery().queryKey, user),
  });
}

/** Sets the person's rules for agents. */
export function useChangeOwnRules(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Pick<CallBody<"updateMe">, "rules">) => call("updateMe", { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.cliRules(orgId) }),
  });
}

/** Sets the person's password; their other sessions end. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CallBody<"changePassword">) => call("changePassword", { body }),
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
    mutationFn: () => call("endOtherSessions", {}),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}

/** Signs this browser in by address and password. */
export function signInWithPasswordHere(body: CallBody<"signInWithPassword">) {
  return call("signInWithPassword", { body });
}
