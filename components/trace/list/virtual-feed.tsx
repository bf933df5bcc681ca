"use client";

import type { ReactNode, Ref, RefCallback } from "react";
import { memo, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { FeedController } from "./feed-controller.ts";
import type { Align } from "./feed-position.ts";
import { FeedPosition } from "./feed-position.ts";
import type { FeedRange } from "./feed-range.ts";
import type { FeedItems } from "./left-items.ts";
import { MountTurnsContext } from "./use-mount-turn.ts";

/** What a page may ask of the list. All of them act at once, without animation. */
export type VirtualFeedHandle = {
  /**
   * Puts an item into view, or the place `within` px below its top, and holds it there while heights around it become known,
   * until the reader scrolls.
   */
  scrollToIndex: (index: number, options?: { align?: Align; within?: number }) => void;
  /** Goes to the end; with `follow` the list then stays there while it grows. */
  scrollToEnd: () => void;
  /** The items of which at least a part is in view; last < first when there are none. */
  visibleRange: () => FeedRange;
  /** Gives the keyboard to the list. */
  focus: () => void;
};

/**
 * `measureRef` belongs on the outermost element of the item, an `<article>` with aria-posinset and aria-setsize. That element
 * must have a height and no vertical margins (use padding), and keeps no state of its own that must outlive scrolling away.
 * With `data-placeholder` it stands for an item that is being loaded: the list gives it the height that it expects.
 */
export type RenderFeedItem = (index: number, measureRef: RefCallback<HTMLElement>) => ReactNode;

type VirtualFeedProps = {
  /** How many items there are. May grow at any time, at the end; give another `key` to show another list. */
  count: number;
  /** Keep its identity (useCallback) as long as the items on the page should not render again. */
  renderItem: RenderFeedItem;
  /** The expected height in px of an item never seen, asked once an item. Better guesses make a steadier thumb. */
  estimate: number | ((index: number) => number);
  /** The accessible name of the feed. */
  label: string;
  /** Items are being fetched (aria-busy). */
  busy?: boolean;
  /** How many px above and below the view are rendered too. */
  overscan?: number;
  /** Whether a reader at the end is kept there when the list grows. */
  follow?: boolean;
  /** Where the list opens. Later changes have no effect. */
  initial?: "start" | "end" | { index: number; align?: Align };
  /** Scrolled with the list, above the first item. */
  header?: ReactNode;
  /** Scrolled with the list, below the last item. */
  footer?: ReactNode;
  /** The items that are rendered, view and overscan, last included: what a loader should have. Not called for an empty list. */
  onRangeChange?: (range: FeedRange) => void;
  /** The reader is taken elsewhere: what will be rendered there, told before it is, so that it can be asked for at once. */
  onJump?: (range: FeedRange) => void;
  /** Whether the end is in view; called first after mounting. */
  onAtEndChange?: (isAtEnd: boolean) => void;
  /** Classes of the scrolled element. Its height must come from the layout around it. */
  className?: string;
  /** Classes of the column that holds header, items and footer. */
  contentClassName?: string;
  ref?: Ref<VirtualFeedHandle>;
};

/** Assumed before the list has been measured, and on the server. */
const viewportGuess = 900;

/** A list of up to millions of items of unknown heights: renders what is seen, and never moves what is being read. */
export function VirtualFeed(props: VirtualFeedProps) {
  const { count, renderItem, label, busy = false, overscan = 600, follow = true, header, footer } = props;
  const { onRangeChange, onJump, onAtEndChange, className = "", contentClassName = "", ref } = props;
  const [controller] = useState(() => openController(props, overscan));
  const [items, setItems] = useState((): FeedItems => ({ ...controller.position.range(overscan), left: null }));
  const [initialHeight] = useState(() => controller.position.physicalHeight);
  const scrollerRef = useRef<HTMLDivElement>(null);
  const sizerRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const told = useRef({ onAtEndChange, onJump });

  useLayoutEffect(() => {
    told.current = { onAtEndChange, onJump };
    controller.overscan = overscan;
    controller.position.follow = follow;
  }, [controller, onAtEndChange, onJump, overscan, follow]);
  useLayoutEffect(() => {
    const [scroller, sizer, content] = [scrollerRef.current, sizerRef.current, contentRef.current];
    if (scroller === null || sizer === null || content === null) return;
    return controller.connect(
      { scroller, sizer, content },
      {
        onItems: (next, now) => (now ? flushSync(() => setItems(next)) : setItems(next)),
        onAtEnd: (isAtEnd) => told.current.onAtEndChange?.(isAtEnd),
      },
    );
  }, [controller]);
  const [hasHeader, hasFooter] = [isShown(header), isShown(footer)];
  useLayoutEffect(() => {
    controller.changed({ count, hasHeader, hasFooter });
    controller.committed(items);
  }, [controller, count, items, hasHeader, hasFooter]);
  const [first, last] = [items.first, Math.min(items.last, count - 1)];
  useEffect(() => {
    if (last >= first) onRangeChange?.({ first, last });
  }, [first, last, onRangeChange]);

  useImperativeHandle(ref, () => handleOf(controller, scrollerRef, (range) => told.current.onJump?.(range)), [
    controller,
  ]);

  const headerRef = useCallback(
    (element: HTMLElement | null) => watchSlot(controller, element, "header"),
    [controller],
  );
  const footerRef = useCallback(
    (element: HTMLElement | null) => watchSlot(controller, element, "footer"),
    [controller],
  );
  const left = items.left === null ? [] : indexesOf(items.left.first, Math.min(items.left.last, count - 1));
  const indexes = [...left.filter((index) => index < first || index > last), ...indexesOf(first, last)];
  return (
    <div
      ref={scrollerRef}
      className={`relative min-h-0 overflow-x-hidden overflow-y-auto [overflow-anchor:none] focus-visible:-outline-offset-2 ${className}`}
      {...focusable}
    >
      <div ref={sizerRef} className="relative overflow-y-clip" style={{ height: initialHeight }}>
        <div ref={contentRef} className={`absolute inset-x-0 ${contentClassName}`}>
          {hasHeader && first <= 0 && (
            <div ref={headerRef} className="flow-root">
              {header}
            </div>
          )}
          {indexes.length > 0 && (
            <MountTurnsContext value={controller.turns}>
              <div role="feed" aria-label={label} aria-busy={busy}>
                {indexes.map((index) => (
                  <FeedItem key={index} controller={controller} index={index} renderItem={renderItem} />
                ))}
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

/** The scrolled element takes the keyboard although it is no control: arrows and Page keys scroll it. */
const focusable = { tabIndex: 0 };

type FeedItemProps = { controller: FeedController; index: number; renderItem: RenderFeedItem };

const FeedItem = memo(function FeedItem({ controller, index, renderItem }: FeedItemProps) {
  const measureRef = useCallback(
    (element: HTMLElement | null) => (element === null ? undefined : controller.observeItem(element, index)),
    [controller, index],
  );
  return renderItem(index, measureRef);
});

function openController(props: VirtualFeedProps, overscan: number): FeedController {
  const { estimate, initial = "start", count } = props;
  const estimateOf = typeof estimate === "number" ? () => estimate : estimate;
  const position = new FeedPosition(count, estimateOf, viewportGuess);
  position.follow = props.follow ?? true;
  if (initial === "end") position.scrollToEnd();
  else if (initial !== "start") position.scrollToIndex(initial.index, initial.align ?? "start");
  return new FeedController(position, overscan);
}

function handleOf(
  controller: FeedController,
  scrollerRef: { current: HTMLElement | null },
  onJump: (range: FeedRange) => void,
): VirtualFeedHandle {
  const jump = (act: (position: FeedPosition) => void) => {
    controller.jump(act);
    onJump(controller.position.range(controller.overscan));
  };
  return {
    scrollToIndex: (index, options) =>
      jump((position) => position.scrollToIndex(index, options?.align ?? "start", options?.within)),
    scrollToEnd: () => jump((position) => position.scrollToEnd()),
    visibleRange: () => controller.position.range(0),
    focus: () => scrollerRef.current?.focus({ preventScroll: true }),
  };
}

function watchSlot(controller: FeedController, element: HTMLElement | null, slot: "header" | "footer") {
  return element === null ? undefined : controller.observeSlot(element, slot);
}

function indexesOf(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
}

function isShown(node: ReactNode): boolean {
  return node !== null && node !== undefined && node !== false;
}
