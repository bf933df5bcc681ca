"use client";

import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { Toast as ToastPrimitive } from "radix-ui";
import { Button } from "./button.tsx";
import { cn } from "./class-names.ts";
import { floatingClasses } from "./floating-classes.ts";
import { dismissToast, type Toast } from "./toast-store.ts";

const SHOWN_FOR_MS = 5000;

const icons = {
  done: <CircleCheck aria-hidden className="text-status-completed" />,
  error: <CircleAlert aria-hidden className="text-destructive" />,
  info: <Info aria-hidden className="text-muted-foreground" />,
};

/** Messages of `toast()`, at least one. F8 moves the focus to them. */
export function ToastCards({ toasts }: { toasts: readonly Toast[] }) {
  return (
    <ToastPrimitive.Provider duration={SHOWN_FOR_MS} swipeDirection="right">
      {toasts.map((message) => (
        <ToastCard key={message.id} message={message} />
      ))}
      <ToastPrimitive.Viewport className="fixed right-0 bottom-(--toasts-bottom) z-50 flex w-full max-w-96 flex-col gap-2 p-4 outline-none" />
    </ToastPrimitive.Provider>
  );
}

function ToastCard({ message }: { message: Toast }) {
  const { action } = message;
  return (
    <ToastPrimitive.Root
      type={message.tone === "error" ? "foreground" : "background"}
      duration={message.tone === "error" ? Number.POSITIVE_INFINITY : SHOWN_FOR_MS}
      onOpenChange={(isOpen) => {
        if (!isOpen) dismissToast(message.id);
      }}
      className={cn(floatingClasses, "flex items-start gap-2.5 py-2 pr-2 pl-3")}
    >
      <span className="mt-1 shrink-0 [&_svg]:size-4">{icons[message.tone]}</span>
      <div className="min-w-0 flex-1 py-0.5">
        <ToastPrimitive.Title className="font-medium text-sm">{message.title}</ToastPrimitive.Title>
        {message.description !== undefined && (
          <ToastPrimitive.Description className="text-[13px] text-muted-foreground">
            {message.description}
          </ToastPrimitive.Description>
        )}
      </div>
      {action !== undefined && (
        <ToastPrimitive.Action altText={action.label} asChild>
          <Button variant="outline" size="sm" onClick={action.onClick}>
            {action.label}
          </Button>
        </ToastPrimitive.Action>
      )}
      <ToastPrimitive.Close asChild>
        <Button variant="ghost" size="icon-sm" aria-label="Dismiss" className="-my-0.5">
          <X />
        </Button>
      </ToastPrimitive.Close>
    </ToastPrimitive.Root>
  );
}
