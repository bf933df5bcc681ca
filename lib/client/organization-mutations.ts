"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { changeSettings } from "#lib/contract/organization-settings.ts";
import { settingsQuery } from "./organization-queries.ts";
import { queryKeys } from "./query-keys.ts";
import { call } from "./request.ts";

/** Changes settings of the organization; the agents are read again, for one of them is the default. */
export function useChangeSettings(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInputOf<typeof changeSettings>) => call(changeSettings, { params: { org_id: orgId }, body }),
    onSuccess: (settings) => {
      client.setQueryData(settingsQuery(orgId).queryKey, settings);
      return client.invalidateQueries({ queryKey: queryKeys.agents(orgId) });
    },
  });
}
