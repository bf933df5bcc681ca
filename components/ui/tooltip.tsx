"use client";

import { createContext, type ReactNode, useContext, useEffect, useId, useState } from "react";
import { createPortal } from "react-dom";
import { cn } from "./class-names.ts";
import { Lend } from "./lend.ts";

const DELAY_MS = 400;
const GAP_PX = 4;
const MARGIN_PX = 8;

type TooltipState = {
  id: string;
  /** What the words are about, while they are shown. */
  anchor: Element | null;
  show: (anchor: Element) => void;
  hide: () => void;
};

const TooltipContext = createContext<TooltipState | null>(null);

/** Words about a control: after a moment under the pointer, at once for the keyboard, until the control is used. */
export function Tooltip({ children }: { children: ReactNode }) {
  const id = useId();
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <TooltipContext value={{ id, anchor, show: setAnchor, hide: () => setAnchor(null) }}>{children}</TooltipContext>
  );
}

/** The control; its only child. */
export function TooltipTrigger({ children }: { asChild: true; children: ReactNode }) {
  const { id, anchor, show, hide } = useTooltip();
  const [hovered, setHovered] = useState<Element | null>(null);
  useEffect(() => {
    if (hovered === null) return;
    const timer = setTimeout(() => show(hovered), DELAY_MS);
    return () => clearTimeout(timer);
  }, [hovered, show]);
  const leave = () => {
    setHovered(null);
    hide();
  };
  return (
    <Lend
      {...(anchor === null ? {} : { "aria-describedby": id })}
      onPointerEnter={(event) => event.pointerType !== "touch" && setHovered(event.currentTarget)}
      onPointerLeave={leave}
      onPointerDown={leave}
      onClick={leave}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && show(event.currentTarget)}
      onBlur={leave}
      onKeyDown={(event) => event.key === "Escape" && hide()}
    >
      {children}
    </Lend>
  );
}

/** The words. */
export function TooltipContent({ className, children }: { className?: string; children: ReactNode }) {
  const { id, anchor } = useTooltip();
  if (anchor === null) return null;
  return createPortal(
    <div
      id={id}
      role="tooltip"
      ref={(element) => {
        if (element !== null) place(element, anchor);
      }}
      className={cn(
        "pointer-events-none fixed z-50 flex w-max max-w-72 animate-pop items-center gap-2 rounded-md border border-border bg-popover px-2 py-1 text-[13px] text-popover-foreground shadow-sm",
        className,
      )}
    >
      {children}
    </div>,
    document.body,
  );
}

function useTooltip(): TooltipState {
  const state = useContext(TooltipContext);
  if (state === null) throw new Error("The parts of a tooltip stand below Tooltip.");
  return state;
}

/** Above the control, or below it where there is no room; never beyond the page. */
function place(element: HTMLElement, anchor: Element): void {
  const { left, top, bottom, width } = anchor.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = element;
  const above = top - offsetHeight - GAP_PX;
  const x = Math.min(left + (width - offsetWidth) / 2, document.documentElement.clientWidth - offsetWidth - MARGIN_PX);
  element.style.left = `${Math.max(MARGIN_PX, x)}px`;
  element.style.top = `${above >= MARGIN_PX ? above : bottom + GAP_PX}px`;
}
