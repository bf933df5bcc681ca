"use client";

import type { ComponentProps } from "react";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";

/** Attributes of a field and its value, as `field` of a form has them. */
type FieldOf<Value> = Pick<ComponentProps<typeof Field>, "label" | "labelHidden" | "hint" | "error" | "required"> & {
  value: Value;
  onChange: (value: Value) => void;
  /** A name, an address or code: the browser neither corrects nor capitalizes it. */
  isCode?: boolean;
  /** Of the whole field. */
  className?: string;
};
type Rest<Control extends typeof Input | typeof Textarea> = Omit<ComponentProps<Control>, keyof FieldOf<string>>;

const codeAttributes = { autoComplete: "off", autoCapitalize: "none", spellCheck: false };

/** A line of text with its label. */
export function TextField({ value, onChange, isCode, ...props }: FieldOf<string> & Rest<typeof Input>) {
  const { label, labelHidden, hint, error, required, className, ...rest } = props;
  return (
    <Field {...{ label, labelHidden, hint, error, required, className }}>
      <Input
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        {...(isCode && codeAttributes)}
        {...rest}
      />
    </Field>
  );
}

type TextareaFieldProps = FieldOf<string> & Rest<typeof Textarea> & { areaClassName?: string };

/** A text of several lines with its label. */
export function TextareaField({ value, onChange, isCode, areaClassName, ...props }: TextareaFieldProps) {
  const { label, labelHidden, hint, error, required, className, ...rest } = props;
  return (
    <Field {...{ label, labelHidden, hint, error, required, className }}>
      <Textarea
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={areaClassName}
        {...(isCode && codeAttributes)}
        {...rest}
      />
    </Field>
  );
}

type CheckFieldProps = Omit<FieldOf<boolean>, "isCode" | "labelHidden" | "required"> & { disabled?: boolean };

/** A checkbox with its label. */
export function CheckField({ value, onChange, disabled, ...field }: CheckFieldProps) {
  return (
    <InlineField {...field}>
      <Checkbox checked={value} disabled={disabled} onCheckedChange={(checked) => onChange(checked === true)} />
    </InlineField>
  );
}
