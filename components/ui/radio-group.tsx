"use client";

import { RadioGroup as RadioPrimitive } from "radix-ui";
import { type ComponentProps, type ReactNode, useId } from "react";
import { fingerTargetClasses } from "./checkbox.tsx";
import { cn } from "./class-names.ts";
import { useFieldControl, useFieldLabelId } from "./field-context.ts";

export function RadioGroup({ className, ...props }: ComponentProps<typeof RadioPrimitive.Root>) {
  const field = useFieldControl(props);
  const labelId = useFieldLabelId();
  return (
    <RadioPrimitive.Root
      aria-labelledby={props["aria-label"] === undefined ? labelId : undefined}
      className={cn("grid gap-2", className)}
      {...props}
      {...field}
    />
  );
}

export function RadioGroupItem({ className, ...props }: ComponentProps<typeof RadioPrimitive.Item>) {
  return (
    <RadioPrimitive.Item
      className={cn(
        fingerTargetClasses,
        "size-4 shrink-0 rounded-full border border-muted-foreground bg-background transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-primary",
        className,
      )}
      {...props}
    >
      <RadioPrimitive.Indicator className="flex items-center justify-center">
        <span className="size-2 rounded-full bg-primary" />
      </RadioPrimitive.Indicator>
    </RadioPrimitive.Item>
  );
}

type RadioOptionProps = { value: string; label: ReactNode; description?: ReactNode; disabled?: boolean };

/** An option with a line of explanation. */
export function RadioOption({ value, label, description, disabled = false }: RadioOptionProps) {
  const id = useId();
  const descriptionId = `${id}-description`;
  const isDescribed = description !== undefined;
  return (
    <div className="flex items-start gap-2.5 pointer-coarse:py-2">
      <RadioGroupItem
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={isDescribed ? descriptionId : undefined}
        className="mt-0.5"
      />
      <div className="grid min-w-0">
        <label htmlFor={id} className={cn("select-none text-sm", disabled && "text-muted-foreground")}>
          {label}
        </label>
        {isDescribed && (
          <span id={descriptionId} className="text-[13px] text-muted-foreground">
            {description}
          </span>
        )}
      </div>
    </div>
  );
}
