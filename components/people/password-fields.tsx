"use client";

import { TextField } from "#components/form/fields.tsx";
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
export function PasswordField({ kind, hint, ...field }: PasswordFieldProps) {
  return (
    <TextField
      {...field}
      required
      hint={hint ?? (kind === "new" ? `At least ${passwordCharactersMin} characters.` : undefined)}
      type="password"
      autoComplete={kind === "new" ? "new-password" : "current-password"}
    />
  );
}
