"use client";

import { type ComponentProps, type ComponentType, memo, type RefCallback } from "react";
import { useMountTurn } from "#components/feed/use-mount-turn.ts";
import { Island } from "#components/islands/island.tsx";
import { MissingEntry } from "#components/trace/entry/missing-entry.tsx";
import type * as minimap from "#components/trace/minimap/minimap.tsx";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type { EntryItemProps } from "./entry-item.tsx";
import type * as filterRow from "./filter/filter-row.tsx";
import type * as filteredList from "./filtered-list.tsx";
import type * as inFlight from "./in-flight.tsx";

// Reading needs none of these scripts, because the server has rendered everything on the page.

const ofTrace = () => import("./trace-parts.ts");
const parts = {
  entry: loadable(() => ofTrace().then(({ EntryItem }) => EntryItem)),
  line: loadable(() => ofTrace().then(({ EntryLine }) => EntryLine)),
  filter: loadable(() => ofTrace().then(({ FilterRow }) => FilterRow)),
  inFlight: loadable(() => ofTrace().then(({ InFlight }): ComponentType<InFlightProps> => InFlight)),
  filtered: loadable(() => ofTrace().then(({ FilteredList }) => FilteredList)),
  map: loadable(() => ofTrace().then(({ Minimap }) => Minimap)),
};

/** All parts of a list of steps. */
export const stepParts = Object.values(parts);

/** Search in a run. */
export const runFind = loadable(() => ofTrace().then(({ RunFind }) => RunFind));

type InFlightProps = ComponentProps<typeof inFlight.InFlight>;
type MeasuredItemProps = EntryItemProps & { measureRef: RefCallback<HTMLElement> };

/** An entry of the list, in an element that can be measured. */
export const EntryItem = memo(function EntryItem({ measureRef, ...props }: MeasuredItemProps) {
  const { index, setSize } = props;
  const isTurn = useMountTurn(index);
  const Line = useLoaded(parts.line, !isTurn);
  const shared = { index, measureRef, count: setSize };
  const missing = <MissingEntry {...shared} seq={props.entry.seq} error={null} onRetry={none} />;
  if (!isTurn) return Line === null ? missing : <Line {...shared} entry={props.entry} />;
  return <Island part={parts.entry} props={props} boxRef={measureRef} boxClassName="min-w-0" fallback={missing} />;
});

function none() {}

export function FilterRow(props: ComponentProps<typeof filterRow.FilterRow>) {
  const room = <div className="min-h-10 border-border border-b pointer-coarse:min-h-12" />;
  return <Island part={parts.filter} props={props} isWanted={props.isOpen} fallback={room} />;
}

export function FilteredList(props: ComponentProps<typeof filteredList.FilteredList>) {
  return <Island part={parts.filtered} props={props} isWanted fallback={<div aria-busy className="flex-1" />} />;
}

export function InFlight(props: InFlightProps) {
  return <Island part={parts.inFlight} props={props} isWanted />;
}

export function Minimap(props: ComponentProps<typeof minimap.Minimap>) {
  const room = <div className="hidden w-11 shrink-0 md:block" />;
  return <Island part={parts.map} props={props} fallback={room} />;
}
