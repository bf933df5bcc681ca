"use client";

import { type ComponentProps, memo, type ReactNode, type RefCallback, use } from "react";
import { Island } from "#components/islands/island.tsx";
import type * as pullFact from "#components/pulls/pull-fact.tsx";
import { stepParts } from "#components/trace/steps/step-islands.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { useWasServerRendered } from "#components/ui/use-was-server-rendered.ts";
import type * as composer from "./composer.tsx";
import type * as queuedMessages from "./queue/queued-messages.tsx";
import type * as runActions from "./run-actions.tsx";
import type * as runFacts from "./run-facts.tsx";

// Reading needs none of these scripts, because the server has rendered everything on the page.

const ofRun = () => import("./run-parts.ts");
const parts = {
  actions: loadable(() => ofRun().then(({ RunActions }) => RunActions)),
  facts: loadable(() => ofRun().then(({ RunFacts }) => RunFacts)),
  composer: loadable(() => ofRun().then(({ Composer }) => Composer)),
};
const pull = loadable(() => import("#components/pulls/run-parts.ts").then(({ PullFact }) => PullFact));
const queue = loadable(() => import("./queue/queued-messages.tsx").then(({ QueuedMessages }) => QueuedMessages));

/** Rendered again only when the run itself changes, not with every new step. */
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

/** `boxRef` is called with an element that contains the field. */
export const Composer = memo(function Composer({ boxRef, ...props }: BoxedComposerProps) {
  const room = <div className="h-[57px] shrink-0 border-border border-t" />;
  return <Island part={parts.composer} props={props} boxRef={boxRef} fallback={room} />;
});

/** When a run's page is opened from another page of the dashboard, these scripts load with it. */
const wanted =
  typeof document !== "undefined" && document.readyState === "complete"
    ? Promise.all([...stepParts, ...Object.values(parts)].map((part) => part.load()))
    : null;

/** Waits for the page's parts if the browser renders the page (opened within the dashboard), so that the layout does not jump. */
export function useRenderParts(): void {
  const wasDrawn = useWasServerRendered();
  if (!wasDrawn && wanted !== null) use(wanted);
}
