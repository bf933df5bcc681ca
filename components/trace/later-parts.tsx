"use client";

import { type ComponentProps, type ComponentType, memo, type ReactNode, type RefCallback, use } from "react";
import type * as runStatus from "#components/runs/run-status.tsx";
import { Later, useWasDrawn } from "#components/ui/later.tsx";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import type * as composer from "./composer.tsx";
import type * as connectionBanner from "./connection-banner.tsx";
import type { EntryItemProps } from "./entry-item.tsx";
import type * as filterRow from "./filter/filter-row.tsx";
import type * as filteredList from "./filter/filtered-list.tsx";
import type * as hiddenEntry from "./filter/hidden-entry.tsx";
import type * as inFlight from "./in-flight.tsx";
import { useMountTurn } from "./list/use-mount-turn.ts";
import type * as minimap from "./minimap/minimap.tsx";
import { MissingEntry } from "./missing-entry.tsx";
import type * as runActions from "./run-actions.tsx";
import type * as runEnd from "./run-end.tsx";
import type * as runFacts from "./run-facts.tsx";

// Who reads what came with the page needs none of these programs: the server has drawn what they show.

const ofTrace = () => import("./trace-parts.ts");
const ofRun = () => import("./run-parts.ts");

const parts = {
  connection: loadable(() => ofTrace().then(({ ConnectionBanner }) => ConnectionBanner)),
  entry: loadable(() => ofTrace().then(({ EntryItem }) => EntryItem)),
  held: loadable(() => ofTrace().then(({ HeldEntry }) => HeldEntry)),
  filter: loadable(() => ofTrace().then(({ FilterRow }) => FilterRow)),
  filtered: loadable(() => ofTrace().then(({ FilteredList }) => FilteredList)),
  hidden: loadable(() => ofTrace().then(({ HiddenEntry }) => HiddenEntry)),
  inFlight: loadable(() => ofTrace().then(({ InFlight }): ComponentType<InFlightProps> => InFlight)),
  map: loadable(() => ofTrace().then(({ Minimap }) => Minimap)),
  status: loadable(() => ofTrace().then(({ RunStatus }) => RunStatus)),
  end: loadable(() => ofTrace().then(({ RunEnd }) => RunEnd)),
};
const runParts = {
  actions: loadable(() => ofRun().then(({ RunActions }) => RunActions)),
  facts: loadable(() => ofRun().then(({ RunFacts }) => RunFacts)),
  composer: loadable(() => ofRun().then(({ Composer }) => Composer)),
};

const all = [...Object.values(parts), ...Object.values(runParts)];

type InFlightProps = ComponentProps<typeof inFlight.InFlight>;

/** One entry of the list in a box that may be measured. */
export const EntryItem = memo(function EntryItem({ measureRef, ...props }: MeasuredItemProps) {
  const { entry, index, setSize } = props;
  const isTurn = useMountTurn(index);
  const Held = useLoaded(parts.held, !isTurn);
  const missing = (
    <MissingEntry {...{ index, measureRef }} seq={entry.seq} count={setSize} error={null} onRetry={none} />
  );
  if (!isTurn) {
    return Held === null ? missing : <Held {...{ entry, index, measureRef }} count={setSize} />;
  }
  return <Later part={parts.entry} props={props} boxRef={measureRef} boxClassName="min-w-0" fallback={missing} />;
});

type MeasuredItemProps = EntryItemProps & { measureRef: RefCallback<HTMLElement> };

function none() {}

export function FilterRow(props: ComponentProps<typeof filterRow.FilterRow>) {
  const room = <div className="min-h-10 border-border border-b pointer-coarse:min-h-12" />;
  return <Later part={parts.filter} props={props} isWanted={props.isOpen} fallback={room} />;
}

export function FilteredList(props: ComponentProps<typeof filteredList.FilteredList>) {
  return <Later part={parts.filtered} props={props} isWanted fallback={<div aria-busy className="flex-1" />} />;
}

export function HiddenEntry(props: ComponentProps<typeof hiddenEntry.HiddenEntry>) {
  return <Later part={parts.hidden} props={props} isWanted />;
}

export function ConnectionBanner(props: ComponentProps<typeof connectionBanner.ConnectionBanner>) {
  return <Later part={parts.connection} props={props} />;
}

export function InFlight(props: InFlightProps) {
  return <Later part={parts.inFlight} props={props} isWanted />;
}

export function Minimap(props: ComponentProps<typeof minimap.Minimap>) {
  const room = <div className="hidden w-11 shrink-0 md:block" />;
  return <Later part={parts.map} props={props} fallback={room} />;
}

export function RunStatus(props: ComponentProps<typeof runStatus.RunStatus>) {
  return <Later part={parts.status} props={props} />;
}

export function RunEnd(props: ComponentProps<typeof runEnd.RunEnd>) {
  return <Later part={parts.end} props={props} />;
}

/** Rendered again only when something of the run changed, not with every step that comes. */
export const RunActions = memo(function RunActions(props: ComponentProps<typeof runActions.RunActions>) {
  return <Later part={runParts.actions} props={props} fallback={<span className="h-control-sm" />} />;
});

export function RunFacts(props: ComponentProps<typeof runFacts.RunFacts>): ReactNode {
  return <Later part={runParts.facts} props={props} />;
}

type ComposerProps = ComponentProps<typeof composer.Composer>;

type BoxedComposerProps = ComposerProps & { boxRef: RefCallback<HTMLElement> };

/** `boxRef` is given an element that holds the field. */
export const Composer = memo(function Composer({ boxRef, ...props }: BoxedComposerProps) {
  const room = <div className="h-[57px] shrink-0 border-border border-t" />;
  return <Later part={runParts.composer} props={props} boxRef={boxRef} fallback={room} />;
});

/** Where the browser has a page already, this program comes with the way to another one. */
const wanted =
  typeof document !== "undefined" && document.readyState === "complete"
    ? Promise.all(all.map((part) => part.load()))
    : null;

/** A page that is gone to within the dashboard is drawn in the browser, once its parts are there: nothing jumps in it. */
export function usePartsToDraw(): void {
  const wasDrawn = useWasDrawn();
  if (!wasDrawn && wanted !== null) use(wanted);
}
