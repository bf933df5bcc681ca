import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { browserTransport, type CallBody, call } from "#lib/client/request.ts";
import type { DeliveryState } from "#lib/contract/integrations/webhook.ts";
import { queryKeys } from "./query-keys.ts";

/** The organization's webhooks, the oldest first. */
export function webhooksQuery(orgId: number, transport = browserTransport) {
  return queryOptions({
    queryKey: [...queryKeys.webhooks(orgId), "own"],
    queryFn: ({ signal }) => call("listWebhookEndpoints", { params: { org_id: orgId }, signal }, transport),
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

/** What a form asks for: the whole of a new webhook, or what is changed of one. */
type WebhookInput = CallBody<"updateWebhookEndpoint">;

/** Which webhook is saved, and what is asked for: decided together, because one that is new gets its id meanwhile. */
export type WebhookRequest = { which: number | "first" | "another"; body: WebhookInput };

/**
 * Creates a webhook or changes the one with this id; only the response has a generated secret. The first one
 * becomes the default webhook, which `webhooks/agent-run` reads and changes.
 */
export function useSaveWebhook(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ which, body }: WebhookRequest) => {
      const params = { org_id: orgId };
      if (typeof which === "number")
        return await call("updateWebhookEndpoint", { params: { ...params, endpoint_id: which }, body });
      const { rotate_secret: _rotated, ...given } = body;
      const made = { ...given, url: given.url ?? "" };
      if (which === "another") return await call("createWebhookEndpoint", { params, body: made });
      const { description: _, ...first } = made;
      return await call("setWebhook", { params, body: first });
    },
    onSuccess: (saved) => {
      const { queryKey } = webhooksQuery(orgId);
      const known = client.getQueryData(queryKey)?.items ?? [];
      // The form shows what is saved, so that has to be known before the list is read again.
      if ("id" in saved) {
        const { secret: _, ...webhook } = saved;
        client.setQueryData(queryKey, { items: known.map((one) => (one.id === webhook.id ? webhook : one)) });
      } else {
        const { secret: _, has_secret: _has, url, ...rest } = saved;
        const first = { id: idUnknown, description: null, is_default: true, created_at: new Date().toISOString() };
        const others = known.filter(({ is_default }) => !is_default);
        client.setQueryData(queryKey, { items: [{ ...first, ...rest, url: url ?? "" }, ...others] });
      }
      // Not awaited: a generated secret is shown as soon as it exists.
      void client.invalidateQueries({ queryKey: queryKeys.webhooks(orgId) });
    },
    // The secret is shown once: nothing keeps it longer than the page that shows it.
    gcTime: 0,
  });
}

/** Id of a webhook that was just created, until the list has been read again. */
export const idUnknown = 0;

/** Deletes a webhook with its secret. */
export function useDeleteWebhook(orgId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpointId: number) =>
      call("deleteWebhookEndpoint", { params: { org_id: orgId, endpoint_id: endpointId } }),
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
