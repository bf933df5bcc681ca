"use client";

import type { ReactNode, Ref, RefCallback } from "react";
import { Fragment, memo, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { callLater } from "#components/ui/call-later.ts";
import { scrolledByKeyboard } from "#components/ui/scrolled-by-keyboard.ts";
import { loadable, useLoaded } from "#components/ui/use-loaded.ts";
import { FeedController } from "./feed-controller.ts";
import { FeedHandle } from "./feed-handle.ts";
import type { FeedLoader, FeedTexts } from "./feed-loader.ts";
import { FeedPosition } from "./feed-position.ts";
import { type FeedItems, indexesOf } from "./feed-range.ts";
import { ListOnPage } from "./list-on-page.ts";
import type { Places } from "./places.ts";
import { MountTurnsContext } from "./use-mount-turn.ts";

/**
 * `measureRef` belongs on the outermost element of the item, an `<article>` with aria-posinset and aria-setsize. That element must
 * have a height and no vertical margins (use padding). Its state is lost when it is scrolled away. With `data-index` and a
 * tabIndex, it or a part of it can be focused. With `data-placeholder` it stands for an item that is loading: the list gives it
 * the estimated height.
 */
export type RenderFeedItem = (index: number, measureRef: RefCallback<HTMLElement>) => ReactNode;

type VirtualFeedProps = {
  /** The items; give another `key` to show another list. */
  places: Places;
  /** Keep its identity (useCallback) as long as the items on the page should not render again. */
  renderItem: RenderFeedItem;
  /** Expected height in px of an item not measured yet. A better guess makes a steadier thumb. */
  estimate: number;
  /** The accessible name of the feed. */
  label: string;
  /** Whether a reader at the end stays at the end when the list grows. */
  follow?: boolean;
  /** Initial position: one of the list's ends, or a place at the top. Later changes have no effect. */
  initial?: "start" | "end" | number;
  /** Scrolled with the list, above the first item. */
  header?: ReactNode;
  /** Scrolled with the list, below the last item. */
  footer?: ReactNode;
  loader: FeedLoader & FeedTexts;
  /** Whether the end is in view; called first after mounting. */
  onAtEndChange?: (isAtEnd: boolean) => void;
  /** Classes of the column that holds header, items and footer. */
  className?: string;
  ref?: Ref<FeedHandle>;
};

const noItems: readonly number[] = [];
const selectionPart = loadable(() => import("./selected-items.tsx"));

/** Assumed before the list has been measured, and on the server. */
const viewportGuess = 900;
/** Rendered above and below the view, in px. */
const overscan = 600;

/** A list of up to millions of items of unknown heights: renders what is in view, and never moves what is being read. */
export function VirtualFeed(props: VirtualFeedProps) {
  const {
    places,
    renderItem,
    label,
    follow = true,
    header,
    footer,
    loader,
    onAtEndChange,
    className = "",
    ref,
  } = props;
  const { count } = places;
  const [controller] = useState(() => openController(props));
  const [items, setItems] = useState((): FeedItems => ({ ...controller.position.range(overscan), left: null }));
  const [initialHeight] = useState(() => controller.position.physicalHeight);
  const scrollerRef = useRef<HTMLDivElement>(null);
  const sizerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const given = useRef({ places, loader, onAtEndChange });

  // In the commit itself, because the next frame may read it.
  useLayoutEffect(() => {
    given.current = { places, loader, onAtEndChange };
    controller.position.follow = follow;
  });
  useLayoutEffect(() => {
    const [scroller, sizer, content] = [scrollerRef.current, sizerRef.current, contentRef.current];
    if (scroller === null || sizer === null || content === null) return;
    return controller.connect(
      { scroller, sizer, content },
      {
        onItems: (next, now) => (now ? flushSync(() => setItems(next)) : setItems(next)),
        onAtEnd: (isAtEnd) => given.current.onAtEndChange?.(isAtEnd),
      },
    );
  }, [controller]);
  const [hasHeader, hasFooter] = [isShown(header), isShown(footer)];
  useLayoutEffect(() => {
    controller.changed({ count, hasHeader, hasFooter });
    controller.committed(items);
  }, [controller, count, items, hasHeader, hasFooter]);
  const [first, last] = [items.first, Math.min(items.last, count - 1)];
  const { rendered, isLoading, textOf, prepareTexts } = loader;
  useEffect(() => {
    if (last >= first) rendered({ first, last });
  }, [first, last, rendered]);

  useImperativeHandle(ref, () => {
    const list = new ListOnPage(controller, scrollerRef, () => given.current);
    return new FeedHandle({ list, schedule: callLater, renderNow: flushSync });
  }, [controller]);

  const headerRef = useCallback(
    (element: HTMLElement | null) => watchSlot(controller, element, "header"),
    [controller],
  );
  const footerRef = useCallback(
    (element: HTMLElement | null) => watchSlot(controller, element, "footer"),
    [controller],
  );
  const selection = useLoaded(selectionPart, true);
  const [held, setHeld] = useState(noItems);
  useEffect(() => {
    prepareTexts(held.length === 0 ? null : { first: Math.min(...held), last: Math.max(...held) });
  }, [held, prepareTexts]);
  const indexes = indexesOf(items, held, count);
  const gap = (from: number, to: number) =>
    from < to && selection !== null && <selection.UnrenderedItems {...{ from, to, textOf }} />;
  return (
    <div
      ref={scrollerRef}
      className="relative min-h-0 min-w-0 flex-1 overflow-y-auto overflow-x-hidden [overflow-anchor:none] focus-visible:-outline-offset-2"
      {...scrolledByKeyboard}
    >
      {selection !== null && <selection.HoldSelection controller={controller} onHeld={setHeld} />}
      <div ref={sizerRef} className="relative overflow-y-clip" style={{ height: initialHeight }}>
        <div ref={contentRef} className={`absolute inset-x-0 ${className}`}>
          {hasHeader && first <= 0 && (
            <div ref={headerRef} className="flow-root">
              {header}
            </div>
          )}
          {indexes.length > 0 && (
            <MountTurnsContext value={controller.turns}>
              <div role="feed" aria-label={label} aria-busy={isLoading}>
                {indexes.map((index, place) => (
                  <Fragment key={index}>
                    {gap((indexes[place - 1] ?? -1) + 1, index)}
                    <FeedItem controller={controller} index={index} renderItem={renderItem} />
                  </Fragment>
                ))}
                {gap((indexes.at(-1) ?? -1) + 1, count)}
              </div>
            </MountTurnsContext>
          )}
          {hasFooter && last >= count - 1 && (
            <div ref={footerRef} className="flow-root">
              {footer}
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

type FeedItemProps = { controller: FeedController; index: number; renderItem: RenderFeedItem };

const FeedItem = memo(function FeedItem({ controller, index, renderItem }: FeedItemProps) {
  const measureRef = useCallback(
    (element: HTMLElement | null) => (element === null ? undefined : controller.observeItem(element, index)),
    [controller, index],
  );
  return renderItem(index, measureRef);
});

function openController({ places, estimate, follow = true, initial = "start" }: VirtualFeedProps): FeedController {
  const position = new FeedPosition(places.count, () => estimate, viewportGuess);
  position.follow = follow;
  if (initial === "end") position.scrollToEnd();
  else if (initial !== "start") position.scrollToIndex(initial, "start");
  return new FeedController(position, overscan);
}

function watchSlot(controller: FeedController, element: HTMLElement | null, slot: "header" | "footer") {
  return element === null ? undefined : controller.observeSlot(element, slot);
}

function isShown(node: ReactNode): boolean {
  return node !== null && node !== undefined && node !== false;
}
