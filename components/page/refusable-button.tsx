"use client";

import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Button, buttonClasses } from "#components/ui/button.tsx";
import { Tooltip, TooltipContent, TooltipTrigger } from "#components/ui/tooltip.tsx";

type Refusable = {
  /** Reason it is disabled, or null. The button stays focusable, so that the reason can be read. */
  refusal: string | null;
  children: ReactNode;
};

/** A button that explains why it is disabled. */
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
