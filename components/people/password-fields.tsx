"use client";

import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { passwordCharactersMin } from "#lib/contract/password.ts";

type PasswordFieldProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** A new one is offered by the browser, the current one filled in. */
  kind: "new" | "current";
  error?: string | undefined;
  hint?: string;
};

/** A password, with what password managers go by. */
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
