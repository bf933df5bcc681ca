"use client";

import { useSearchParams } from "next/navigation";
import { useMemo } from "react";
import type { DeliveryFilter } from "#lib/client/pages/webhook-queries.ts";
import { deliveryStates } from "#lib/contract/words.ts";

/** The filter of the deliveries in the page's address: `state`, `run` and `page`. */
export function useDeliveryFilter(): { filter: DeliveryFilter; setFilter: (filter: DeliveryFilter) => void } {
  const search = useSearchParams();
  const filter = useMemo((): DeliveryFilter => {
    const state = deliveryStates.find((option) => option === search.get("state"));
    const [runId, page] = [wholeNumber(search.get("run")), wholeNumber(search.get("page"))];
    return { page: page ?? 1, ...(state && { state }), ...(runId && { runId }) };
  }, [search]);
  return { filter, setFilter };
}

function setFilter({ state, runId, page }: DeliveryFilter): void {
  const query = new URLSearchParams();
  if (state !== undefined) query.set("state", state);
  if (runId !== undefined) query.set("run", String(runId));
  if (page > 1) query.set("page", String(page));
  window.history.pushState(null, "", query.size === 0 ? window.location.pathname : `?${query}`);
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
