"use client";

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { PageTurner } from "#components/page/page-turner.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { useKeptFocus } from "#components/ui/use-kept-focus.ts";
import { type DeliveryFilter, deliveriesQuery } from "#lib/client/pages/webhook-queries.ts";
import { deliveryStates } from "#lib/contract/words.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { useDeliveryFilter } from "./use-delivery-filter.ts";
import { stateWords } from "./webhook-words.ts";

/** Deliveries, newest first: by state, and of one run. */
export function DeliveriesSection() {
  const { id: orgId } = useOrganization();
  const { filter, setFilter } = useDeliveryFilter();
  const section = useRef<HTMLElement>(null);
  const keptFocus = useKeptFocus(section);
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="deliveries"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 border-border border-t pt-4"
      {...keptFocus}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="deliveries" className="font-semibold text-base/6">
          Deliveries
        </h2>
        <Filters filter={filter} setFilter={setFilter} />
      </div>
      <LoadedPart query={useQuery(deliveriesQuery(orgId, filter))} what="the deliveries" lines={4} heading="h3">
        {(data) => (
          <>
            {data.items.length === 0 ? (
              <p className="py-4 text-[13px] text-muted-foreground">
                {emptyWords(filter, data.total)} Deliveries are kept for 30 days.
              </p>
            ) : (
              <ul aria-label="Deliveries" className="border-border border-t">
                {data.items.map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} orgId={orgId} />
                ))}
              </ul>
            )}
            <PageTurner
              label="Pages of deliveries"
              page={filter.page}
              pages={data.pages}
              onTurn={(page) => setFilter({ ...filter, page })}
              back="Newer"
              forward="Older"
            />
          </>
        )}
      </LoadedPart>
    </section>
  );
}

function emptyWords({ state, runId }: DeliveryFilter, total: number): string {
  if (total > 0) return "No deliveries on this page.";
  return state === undefined && runId === undefined ? "Nothing has been sent yet." : "No deliveries match.";
}

const ANY = "any";

function Filters({ filter, setFilter }: { filter: DeliveryFilter; setFilter: (filter: DeliveryFilter) => void }) {
  const { runId, state } = filter;
  const ofRun = runId === undefined ? {} : { runId };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {runId !== undefined && (
        <Button variant="outline" size="sm" onClick={() => setFilter({ page: 1, ...(state && { state }) })}>
          Run #{runId} ×<span className="sr-only">, show all runs</span>
        </Button>
      )}
      <Select
        value={state ?? ANY}
        onValueChange={(value) => {
          const chosen = deliveryStates.find((option) => option === value);
          setFilter({ page: 1, ...ofRun, ...(chosen && { state: chosen }) });
        }}
      >
        <SelectTrigger aria-label="State" className="w-36">
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          <SelectItem value={ANY}>Any state</SelectItem>
          {deliveryStates.map((option) => (
            <SelectItem key={option} value={option}>
              {stateWords[option].label}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </div>
  );
}
