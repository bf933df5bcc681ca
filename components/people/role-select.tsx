"use client";

import { Field } from "#components/ui/field.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { Role } from "#lib/contract/organization.ts";
import { isAtLeast } from "#lib/contract/role-scopes.ts";
import { roleLine } from "./role-words.ts";

type RoleSelectProps = {
  value: Role;
  /** No stronger role is offered. */
  roleMax: Role;
  error?: string | undefined;
  onChange: (role: Role) => void;
};

/** Chooses a role, with what it means. */
export function RoleSelect({ value, roleMax, error, onChange }: RoleSelectProps) {
  return (
    <Field label="Role" error={error} hint={roleLine(value)}>
      <Select
        value={value}
        onValueChange={(chosen) => onChange(Role.options.find((option) => option === chosen) ?? value)}
      >
        <SelectTrigger>
          <SelectValue />
        </SelectTrigger>
        <SelectContent>
          {Role.options
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
