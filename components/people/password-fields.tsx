"use client";

import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { passwordCharactersMin } from "#lib/contract/bounds.ts";

type PasswordFieldProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The browser suggests a new password, and fills in a current one. */
  kind: "new" | "current";
  error?: string | undefined;
  hint?: string;
};

/** A password field, with attributes for password managers. */
export function PasswordField({ label, value, onChange, kind, error, hint }: PasswordFieldProps) {
  return (
    <Field
      label={label}
      required
      error={error}
      hint={hint ?? (kind === "new" ? `At least ${passwordCharactersMin} characters.` : undefined)}
    >
      <Input
        type="password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete={kind === "new" ? "new-password" : "current-password"}
      />
    </Field>
  );
}
