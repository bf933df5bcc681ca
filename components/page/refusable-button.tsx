"use client";

import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Tooltip, TooltipContent, TooltipTrigger } from "#components/ui/tooltip.tsx";

type Refusable = {
  /** Why it cannot be used, or null. It stays reachable by keyboard, so that the reason is. */
  refusal: string | null;
  children: ReactNode;
};

/** A button that says why it cannot be used. */
export function RefusableButton({
  refusal,
  children,
  ...props
}: Refusable & Omit<ComponentProps<typeof Button>, "disabled">) {
  if (refusal === null) return <Button {...props}>{children}</Button>;
  const { variant, size, className } = props;
  return (
    <Tooltip>
      <TooltipTrigger asChild>
        <Button variant={variant} size={size} className={className} aria-disabled="true">
          {children}
        </Button>
      </TooltipTrigger>
      <TooltipContent>{refusal}</TooltipContent>
    </Tooltip>
  );
}

/** A link with the look of a button; where it is refused, a button that says why. */
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
