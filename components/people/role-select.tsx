"use client";

import { Field } from "#components/ui/field.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import type { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { roles } from "#lib/contract/words.ts";
import { roleLine } from "./role-words.ts";

type RoleSelectProps = {
  value: Role;
  /** Higher roles are not offered. */
  roleMax: Role;
  error?: string | undefined;
  onChange: (role: Role) => void;
};

/** Chooses a role, with what it means. */
export function RoleSelect({ value, roleMax, error, onChange }: RoleSelectProps) {
  return (
    <Field label="Role" error={error} hint={roleLine(value)}>
      <Select value={value} onValueChange={(chosen) => onChange(roles.find((option) => option === chosen) ?? value)}>
        <SelectTrigger>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {roles
            .filter((option) => isAtLeast(roleMax, option))
            .map((option) => (
              <SelectItem key={option} value={option} description={roleLine(option)}>
                {option}
              </SelectItem>
            ))}
        </SelectContent>
      </Select>
    </Field>
  );
}
