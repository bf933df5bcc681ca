"use client";

import Link from "next/link";
import { type ComponentProps, type MouseEvent, type ReactNode, useState } from "react";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Tooltip, TooltipContent, TooltipTrigger } from "#components/ui/tooltip.tsx";

type Refusable = {
  /** Reason it is disabled, or null. The button stays focusable, so that the reason can be read. */
  refusal: string | null;
  children: ReactNode;
};

/**
 * A button that explains why it is disabled: in a tooltip, which a press shows too, as a phone has neither a pointer that rests
 * nor a keyboard. It keeps the focus when it becomes disabled.
 */
export function RefusableButton({
  refusal,
  children,
  ...props
}: Refusable & Omit<ComponentProps<typeof Button>, "disabled">) {
  const [isShown, setShown] = useState(false);
  if (refusal === null && isShown) setShown(false);
  const explain = (event: MouseEvent) => {
    // Otherwise the tooltip goes, as that of any control that is used.
    event.preventDefault();
    setShown(true);
  };
  return (
    <Tooltip open={isShown} onOpenChange={(isOpen) => setShown(isOpen && refusal !== null)}>
      <TooltipTrigger asChild>
        <Button {...props} {...(refusal !== null && { type: "button", "aria-disabled": true, onClick: explain })}>
          {children}
        </Button>
      </TooltipTrigger>
      {refusal !== null && <TooltipContent>{refusal}</TooltipContent>}
    </Tooltip>
  );
}

/** A link that looks like a button. If it is disabled, it is a button that explains why. */
export function RefusableLink({
  refusal,
  href,
  children,
  variant,
  size,
}: Refusable & Pick<ComponentProps<typeof Button>, "variant" | "size"> & { href: string }) {
  if (refusal !== null) {
    return (
      <RefusableButton refusal={refusal} variant={variant} size={size}>
        {children}
      </RefusableButton>
    );
  }
  return (
    <Link href={href} className={buttonClasses({ variant, size })}>
      {children}
    </Link>
  );
}
