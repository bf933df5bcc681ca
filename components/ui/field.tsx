"use client";

import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cn } from "./class-names.ts";
import { errorSentence } from "./error-sentence.ts";
import { FieldContext } from "./field-context.ts";
import { Label } from "./label.tsx";

type FieldProps = {
  label: ReactNode;
  /** Keeps the label for screen readers only. */
  labelHidden?: boolean;
  /** Help text. */
  hint?: ReactNode;
  /** Error message, if any. Marks the control as invalid and is announced when it appears. */
  error?: ReactNode;
  required?: boolean;
  className?: string;
  /** One control from this folder: it takes its id and descriptions from the field. */
  children: ReactNode;
};

/** Label, control, hint and error, connected to each other. */
export function Field({ label, labelHidden = false, hint, error, required = false, className, children }: FieldProps) {
  const sentence = sentenceOf(label, error);
  const { control, hintId, errorId } = useFieldIds(hint, error, required);
  return (
    <FieldContext value={control}>
      <div className={cn("grid min-w-0 gap-1.5", className)}>
        <Label id={control.labelId} htmlFor={control.id} className={cn(labelHidden && "sr-only")}>
          {label}
          {required && (
            <span aria-hidden className="ml-0.5 text-muted-foreground">
              *
            </span>
          )}
        </Label>
        {children}
        <FieldNotes hint={hint} hintId={hintId} error={sentence} errorId={errorId} />
      </div>
    </FieldContext>
  );
}

/** API messages name no field: the label becomes their subject. */
function sentenceOf(label: ReactNode, error: ReactNode): ReactNode {
  return typeof label === "string" && typeof error === "string" ? errorSentence(label, error) : error;
}

type InlineFieldProps = Omit<FieldProps, "labelHidden" | "required">;

/** A checkbox or switch with its label on the right. */
export function InlineField({ label, hint, error, className, children }: InlineFieldProps) {
  const { control, hintId, errorId } = useFieldIds(hint, error, false);
  return (
    <FieldContext value={control}>
      <div className={cn("grid grid-cols-[auto_1fr] items-center gap-x-2.5", className)}>
        {children}
        <Label id={control.labelId} htmlFor={control.id} className="flex min-h-control-sm items-center">
          {label}
        </Label>
        <div className="col-start-2 grid gap-1 empty:hidden">
          <FieldNotes hint={hint} hintId={hintId} error={sentenceOf(label, error)} errorId={errorId} />
        </div>
      </div>
    </FieldContext>
  );
}

function useFieldIds(hint: ReactNode, error: ReactNode, required: boolean) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [isPresent(hint) && hintId, isPresent(error) && errorId].filter(Boolean).join(" ");
  const control = {
    id,
    labelId: `${id}-label`,
    describedBy: described || undefined,
    invalid: isPresent(error),
    required,
  };
  return { control, hintId, errorId };
}

function FieldNotes(props: { hint: ReactNode; hintId: string; error: ReactNode; errorId: string }) {
  return (
    <>
      {isPresent(props.hint) && (
        <div id={props.hintId} className="text-[13px] text-muted-foreground">
          {props.hint}
        </div>
      )}
      {isPresent(props.error) && (
        <div
          id={props.errorId}
          role="alert"
          className="flex items-start gap-1.5 text-[13px] text-destructive [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
        >
          <CircleAlert aria-hidden />
          <span className="min-w-0">{props.error}</span>
        </div>
      )}
    </>
  );
}

function isPresent(node: ReactNode): boolean {
  return node !== undefined && node !== null && node !== false && node !== "";
}
