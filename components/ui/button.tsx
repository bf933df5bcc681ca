import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps, MouseEvent } from "react";
import { cn } from "./class-names.ts";
import { Spinner } from "./spinner.tsx";

const buttonVariants = cva(
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border border-transparent font-medium text-sm transition-colors disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50 [&_svg:not([class*=size-])]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "quiet-disabled bg-primary text-primary-foreground hover:bg-primary/85",
        secondary: "bg-secondary text-secondary-foreground hover:bg-accent",
        outline: "border-input bg-background text-foreground hover:bg-accent data-[state=open]:bg-accent",
        ghost: "text-foreground hover:bg-accent data-[state=open]:bg-accent",
        destructive: "quiet-disabled bg-destructive text-destructive-foreground hover:bg-destructive/85",
        link: "h-auto! px-0! text-link underline-offset-4 hover:underline",
      },
      size: {
        default: "h-control px-3",
        sm: "h-control-sm gap-1.5 px-2 text-[13px]",
        lg: "h-10 px-4",
        icon: "size-control",
        "icon-sm": "size-control-sm",
      },
    },
    defaultVariants: { variant: "default", size: "default" },
  },
);

type ButtonProps = ComponentProps<"button"> &
  VariantProps<typeof buttonVariants> & {
    /** The action is in progress: shows this, and ignores further clicks. Keeps the focus, unlike a disabled button. */
    pending?: boolean;
  };

/** Classes of a button, for a link that should look like one. */
export function buttonClasses(look: VariantProps<typeof buttonVariants>, className?: string): string {
  return cn(buttonVariants(look), className);
}

/** A form's button would send the form again. */
function ignore(event: MouseEvent) {
  event.preventDefault();
}

export function Button({ variant, size, pending = false, className, children, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      className={buttonClasses({ variant, size }, className)}
      {...props}
      {...(pending && { "aria-busy": true, "aria-disabled": true, disabled: false, onClick: ignore })}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}
