"use client";

import { type ComponentProps, createContext, useContext } from "react";
import { cn } from "./class-names.ts";
import type * as dialogParts from "./dialog-parts.tsx";
import { loadable, useLoaded } from "./use-loaded.ts";

type Parts = typeof dialogParts;

const parts = loadable(() => import("./dialog-parts.tsx"));
const DialogParts = createContext<Parts | null>(null);

/** Opened and closed by whoever holds `open`. Its program is fetched when it is first opened. */
export function Dialog(props: ComponentProps<Parts["Dialog"]> & { open: boolean }) {
  const loaded = useLoaded(parts, props.open);
  if (loaded === null) return null;
  return (
    <DialogParts value={loaded}>
      <loaded.Dialog {...props} />
    </DialogParts>
  );
}

/** Needs a DialogTitle inside. Pass `aria-describedby={undefined}` where there is no DialogDescription. */
export function DialogContent(props: ComponentProps<Parts["DialogContent"]>) {
  const { DialogContent } = useParts();
  return <DialogContent {...props} />;
}

export function DialogClose(props: ComponentProps<Parts["DialogClose"]>) {
  const { DialogClose } = useParts();
  return <DialogClose {...props} />;
}

export function DialogTitle(props: ComponentProps<Parts["DialogTitle"]>) {
  const { DialogTitle } = useParts();
  return <DialogTitle {...props} />;
}

export function DialogDescription(props: ComponentProps<Parts["DialogDescription"]>) {
  const { DialogDescription } = useParts();
  return <DialogDescription {...props} />;
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("grid gap-1 pr-8", className)} {...props} />;
}

/** The actions: the one that does it comes last in the source, and stands at the right. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap justify-end gap-2", className)} {...props} />;
}

function useParts(): Parts {
  const loaded = useContext(DialogParts);
  if (loaded === null) throw new Error("The parts of a dialog stand below Dialog.");
  return loaded;
}
