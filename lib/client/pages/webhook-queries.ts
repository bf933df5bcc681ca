import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import type { DeliveryState, WebhookConfigResponse } from "#lib/contract/integrations/webhook.ts";
import { queryKeys } from "./query-keys.ts";

/** The organization's webhook; its `url` is null if there is none. */
export function webhookQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.webhooks(orgId), "own"],
    queryFn: ({ signal }) => call("getWebhook", { params: { org_id: orgId }, signal }, transport),
  });
}

/** Filter and page of deliveries; `page` counts from 1. */
export type DeliveryFilter = { state?: DeliveryState; runId?: number; page: number };

/** Deliveries per page. */
export const deliveriesOnPage = 25;
const refreshMs = 5000;

/** Deliveries, newest first, polled every 5 seconds. */
export function deliveriesQuery(orgId: number, { state, runId, page }: DeliveryFilter, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.webhooks(orgId), "deliveries", state ?? "", runId ?? 0, page],
    queryFn: ({ signal }) => {
      const query = { page, size: deliveriesOnPage, ...(state && { state }), ...(runId && { agent_run_id: runId }) };
      return call("listDeliveries", { params: { org_id: orgId }, query, signal }, transport);
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  });
}

/**
 * Creates or changes the webhook; only the response has a generated secret. The request is made from the webhook as it is now, so
 * that nothing that others saved meanwhile is undone.
 */
export function useSetWebhook(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (bodyFor: (now: WebhookConfigResponse) => CallBody<"setWebhook">) => {
      const now = await call("getWebhook", { params: { org_id: orgId } });
      return await call("setWebhook", { params: { org_id: orgId }, body: bodyFor(now) });
    },
    onSuccess: ({ secret: _, ...webhook }) => {
      client.setQueryData(webhookQuery(orgId).queryKey, webhook);
      // Not awaited: a generated secret is shown as soon as it exists.
      void client.invalidateQueries({ queryKey: queryKeys.webhooks(orgId) });
    },
    // The secret is shown once: nothing keeps it longer than the page that shows it.
    gcTime: 0,
  });
}

/** Deletes the webhook with its secret. */
export function useDeleteWebhook(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call("deleteWebhook", { params: { org_id: orgId } }),
    // Not awaited: the button that was pressed is removed by the refetch.
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.webhooks(orgId) }),
  });
}

/** Sends a test to an address. */
export function useTestWebhook(orgId: number) {
  return useMutation({
    mutationFn: (body: CallBody<"testWebhook">) => call("testWebhook", { params: { org_id: orgId }, body }),
  });
}

/** Sends a delivery again. */
export function useResendDelivery(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: number) => call("resendDelivery", { params: { org_id: orgId, delivery_id: deliveryId } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks(orgId) }),
  });
}
