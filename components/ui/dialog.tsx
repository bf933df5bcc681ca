"use client";

import { X } from "lucide-react";
import { Dialog as DialogPrimitive } from "radix-ui";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
import { floatingClasses } from "./floating-classes.ts";
import { focusContent } from "./use-kept-focus.ts";

/** Whether a {@link KeepOpen} of the dialog is active, and how one becomes active: `keep` returns a function that ends it. */
const Kept = createContext({ isKept: false, keep: () => () => {} });

/** Opened and closed through `open`. */
export function Dialog({
  onOpenChange,
  ...props
}: Omit<ComponentProps<typeof DialogPrimitive.Root>, "onOpenChange"> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [keeping, setKeeping] = useState(0);
  const keep = useCallback(() => {
    setKeeping((count) => count + 1);
    return () => setKeeping((count) => count - 1);
  }, []);
  const isKept = keeping > 0;
  return (
    <Kept value={{ isKept, keep }}>
      <DialogPrimitive.Root {...props} onOpenChange={(open) => (open || !isKept) && onOpenChange(open)} />
    </Kept>
  );
}

/**
 * The dialog around it cannot be dismissed while a request that it sent is pending: what has begun cannot be taken back, and the
 * dialog shows the outcome.
 */
export function KeepOpen({ while: isPending }: { while: boolean }) {
  const { keep } = useContext(Kept);
  useLayoutEffect(() => (isPending ? keep() : undefined), [isPending, keep]);
  return null;
}

/** The button that dismisses the dialog. */
export function DialogCancel({ children = "Cancel" }: { children?: string }) {
  const { isKept } = useContext(Kept);
  return (
    <DialogPrimitive.Close asChild>
      <Button variant="outline" aria-disabled={isKept || undefined}>
        {children}
      </Button>
    </DialogPrimitive.Close>
  );
}

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
  const { isKept } = useContext(Kept);
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
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label="Close"
              aria-disabled={isKept || undefined}
              className="absolute top-3 right-3"
            >
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

type TitledDialogProps = {
  open?: boolean;
  title: ReactNode;
  description: ReactNode;
  onClose: () => void;
  /** Keeps a click outside from closing it, and losing what it has. */
  isKept?: boolean;
  className?: string;
  children: ReactNode;
};

/** A dialog with its title and description. */
export function TitledDialog({ open = true, title, description, onClose, isKept, ...rest }: TitledDialogProps) {
  const { className, children } = rest;
  return (
    <Dialog open={open} onOpenChange={onClose}>
      <DialogContent className={className} onInteractOutside={(event) => isKept && event.preventDefault()}>
        <DialogHeader>
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{description}</DialogDescription>
        </DialogHeader>
        {children}
      </DialogContent>
    </Dialog>
  );
}

/** Actions: the main one is last in the source, and on the right. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-wrap justify-end gap-2", className)} {...props} />;
}
