"use client";

import { X } from "lucide-react";
import { Dialog as DialogPrimitive } from "radix-ui";
import { type ComponentProps, useRef } from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
import { floatingClasses } from "./floating-classes.ts";
import { focusContent } from "./use-kept-focus.ts";

/** Opened and closed through `open`. */
export function Dialog(props: ComponentProps<typeof DialogPrimitive.Root> & { open: boolean }) {
  return <DialogPrimitive.Root {...props} />;
}

export const DialogClose = DialogPrimitive.Close;

/**
 * Needs a DialogTitle inside. Pass `aria-describedby={undefined}` if there is no DialogDescription. Closed, it returns the focus to
 * what had it before, which Radix does only for a DialogTrigger, or gives it to the page's content if that is gone.
 */
export function DialogContent({
  className,
  children,
  closeHidden = false,
  onOpenAutoFocus,
  onCloseAutoFocus,
  ...props
}: ComponentProps<typeof DialogPrimitive.Content> & { closeHidden?: boolean }) {
  const opener = useRef<Element | null>(null);
  return (
    <DialogPrimitive.Portal>
      <DialogPrimitive.Overlay className="fixed inset-0 z-50 bg-overlay" />
      <DialogPrimitive.Content
        className={cn(
          floatingClasses,
          "fixed top-[12dvh] left-1/2 grid max-h-[80dvh] max-sm:top-[4dvh] max-sm:max-h-[92dvh] w-[calc(100vw-32px)] max-w-lg -translate-x-1/2 gap-4 overflow-auto p-5",
          className,
        )}
        onOpenAutoFocus={(event) => {
          opener.current = document.activeElement;
          onOpenAutoFocus?.(event);
        }}
        onCloseAutoFocus={(event) => {
          onCloseAutoFocus?.(event);
          if (event.defaultPrevented || !(opener.current instanceof HTMLElement)) return;
          event.preventDefault();
          // The page itself had it if the opener went away when the dialog came.
          if (opener.current.isConnected && opener.current !== document.body) opener.current.focus();
          else focusContent();
        }}
        {...props}
      >
        {children}
        {!closeHidden && (
          <DialogPrimitive.Close asChild>
            <Button variant="ghost" size="icon-sm" aria-label="Close" className="absolute top-3 right-3">
              <X />
            </Button>
          </DialogPrimitive.Close>
        )}
      </DialogPrimitive.Content>
    </DialogPrimitive.Portal>
  );
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof DialogPrimitive.Title>) {
  return <DialogPrimitive.Title className={cn("font-semibold text-base/6", className)} {...props} />;
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof DialogPrimitive.Description>) {
  return <DialogPrimitive.Description className={cn("text-muted-foreground text-sm", className)} {...props} />;
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("grid gap-1 pr-8", className)} {...props} />;
}

/** Actions: the main one is last in the source, and on the right. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap justify-end gap-2", className)} {...props} />;
}
