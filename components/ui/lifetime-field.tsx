"use client";

import { Field } from "./field.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "./select.tsx";

type LifetimeFieldProps<Days extends number | null> = {
  /** Days until it expires; null: never. */
  value: Days;
  choices: readonly Days[];
  onChange: (days: Days) => void;
  error?: string | undefined;
  className?: string;
};

/** When something expires: a token, a link, an invitation. */
export function LifetimeField<Days extends number | null>(props: LifetimeFieldProps<Days>) {
  const { value, choices, onChange, ...field } = props;
  const choose = (text: string) => {
    const chosen = choices.find((days) => String(days) === text);
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <Field label="Expires" {...field}>
      <Select value={String(value)} onValueChange={choose}>
        <SelectTrigger>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {choices.map((days) => (
            <SelectItem key={String(days)} value={String(days)}>
              {wordsOf(days)}
            </SelectItem>
          ))}
        </SelectContent>
      </Select>
    </Field>
  );
}

function wordsOf(days: number | null): string {
  if (days === null) return "Never";
  if (days === 1) return "In a day";
  return days === 365 ? "In a year" : `In ${days} days`;
}
