"use client";

import { type ComponentProps, memo, type ReactNode, type RefCallback, use } from "react";
import { Island } from "#components/islands/island.tsx";
import type * as pullFact from "#components/pulls/pull-fact.tsx";
import { stepParts } from "#components/trace/steps/step-islands.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { useWasDrawn } from "#components/ui/use-was-drawn.ts";
import type * as composer from "./composer.tsx";
import type * as queuedMessages from "./queue/queued-messages.tsx";
import type * as runActions from "./run-actions.tsx";
import type * as runFacts from "./run-facts.tsx";

// Who reads what came with the page needs none of these programs: the server has drawn what they show.

const ofRun = () => import("./run-parts.ts");
const parts = {
  actions: loadable(() => ofRun().then(({ RunActions }) => RunActions)),
  facts: loadable(() => ofRun().then(({ RunFacts }) => RunFacts)),
  composer: loadable(() => ofRun().then(({ Composer }) => Composer)),
};
const pull = loadable(() => import("#components/pulls/run-parts.ts").then(({ PullFact }) => PullFact));
const queue = loadable(() => import("./queue/queued-messages.tsx").then(({ QueuedMessages }) => QueuedMessages));

/** Rendered again only when something of the run changed, not with every step that comes. */
export const RunActions = memo(function RunActions(props: ComponentProps<typeof runActions.RunActions>) {
  return <Island part={parts.actions} props={props} fallback={<span className="h-control-sm" />} />;
});

export function RunFacts(props: ComponentProps<typeof runFacts.RunFacts>): ReactNode {
  return <Island part={parts.facts} props={props} />;
}

export function PullFact(props: ComponentProps<typeof pullFact.PullFact>) {
  return <Island part={pull} props={props} isWanted />;
}

export function QueuedMessages(props: ComponentProps<typeof queuedMessages.QueuedMessages>) {
  return <Island part={queue} props={props} isWanted />;
}

type BoxedComposerProps = ComponentProps<typeof composer.Composer> & { boxRef: RefCallback<HTMLElement> };

/** `boxRef` is given an element that holds the field. */
export const Composer = memo(function Composer({ boxRef, ...props }: BoxedComposerProps) {
  const room = <div className="h-[57px] shrink-0 border-border border-t" />;
  return <Island part={parts.composer} props={props} boxRef={boxRef} fallback={room} />;
});

/** Where the browser has a page already, these programs come with the way to another one. */
const wanted =
  typeof document !== "undefined" && document.readyState === "complete"
    ? Promise.all([...stepParts, ...Object.values(parts)].map((part) => part.load()))
    : null;

/** A page that is gone to within the dashboard is drawn in the browser, once its parts are there: nothing jumps in it. */
export function usePartsToDraw(): void {
  const wasDrawn = useWasDrawn();
  if (!wasDrawn && wanted !== null) use(wanted);
}
