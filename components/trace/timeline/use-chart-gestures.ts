import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { Pointed } from "./chart-rows.ts";
import { panned, type TimeScale, zoomed } from "./time-scale.ts";
import type { Range } from "./timeline-data.ts";

export type ChartGestures = {
  scale: TimeScale;
  whole: Range;
  pointAt: (x: number, y: number) => Pointed | null;
  onPoint: (pointed: Pointed | null) => void;
  onView: (view: Range) => void;
  onReset: () => void;
  /** Called with the clicked item. */
  onOpen: (pointed: Pointed) => void;
};

type Place = { x: number; y: number };
/** A press that moves less than this, in px, is a click. */
const CLICK_PX = 4;
const WHEEL_SPEED = 0.0025;

/**
 * Dragging with the mouse selects the range to show, Ctrl and the wheel (a pinch on a touch pad) zoom, scrolling sideways
 * moves; one finger moves, two zoom; a click opens, a double click shows everything.
 */
export function useChartGestures(root: RefObject<HTMLElement | null>, gestures: ChartGestures) {
  const now = useRef(gestures);
  useEffect(() => {
    now.current = gestures;
  });
  const pointers = useRef(new Map<number, Place>());
  const began = useRef<Place | null>(null);
  const [selected, setSelected] = useState<{ left: number; width: number } | null>(null);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const { scale, whole, onView } = now.current;
      const zooms = event.ctrlKey || event.metaKey;
      const aside = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
      if (!zooms && Math.abs(aside) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
      event.preventDefault();
      const at = scale.msAt(event.clientX - element.getBoundingClientRect().left);
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (zooms) onView(zoomed(scale.view, at, Math.exp(event.deltaY * lines * WHEEL_SPEED), whole, scale.time));
      else onView(panned(scale.view, (aside * lines) / Math.max(1, scale.width), whole, scale.time));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [root]);

  const placeOf = (event: PointerEvent<HTMLElement>): Place => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const forget = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
    began.current = null;
    setSelected(null);
  };

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const place = placeOf(event);
      pointers.current.set(event.pointerId, place);
      began.current = pointers.current.size === 1 ? place : null;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const place = placeOf(event);
      const { scale, whole, pointAt, onPoint, onView } = now.current;
      // Released outside, before anything was captured.
      if (event.buttons === 0 && pointers.current.has(event.pointerId)) forget(event);
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) {
        onPoint(pointAt(place.x, place.y));
        return;
      }
      // Captured only once it moves: until then a press is a click on the item under it.
      if (began.current === null || away(began.current, place) >= CLICK_PX) {
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      if (event.pointerType === "mouse") {
        if (began.current === null) return;
        const [left, right] = [began.current.x, place.x].sort((one, other) => one - other);
        const from = Math.max(0, left ?? 0);
        const isDrag = away(began.current, place) >= CLICK_PX;
        setSelected(isDrag ? { left: from, width: Math.min(scale.width, right ?? 0) - from } : null);
        return;
      }
      const others = [...pointers.current].filter(([id]) => id !== event.pointerId);
      pointers.current.set(event.pointerId, place);
      const [other] = others;
      if (other === undefined) {
        onView(panned(scale.view, (before.x - place.x) / Math.max(1, scale.width), whole, scale.time));
      } else {
        const apart = Math.max(1, Math.abs(place.x - other[1].x));
        const times = Math.max(1, Math.abs(before.x - other[1].x)) / apart;
        onView(zoomed(scale.view, scale.msAt((place.x + other[1].x) / 2), times, whole, scale.time));
      }
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const { scale, pointAt, onOpen, onView } = now.current;
      const place = placeOf(event);
      const start = began.current;
      const chosen = selected;
      forget(event);
      if (start === null) return;
      if (chosen !== null && event.pointerType === "mouse") {
        onView({ from: scale.msAt(chosen.left), to: scale.msAt(chosen.left + chosen.width) });
        return;
      }
      const pointed = away(start, place) < CLICK_PX * 2 ? pointAt(place.x, place.y) : null;
      if (pointed !== null) onOpen(pointed);
    },
    onPointerCancel: forget,
    onDoubleClick: () => now.current.onReset(),
  };
  return { selected, handlers };
}

function away(one: Place, other: Place): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
