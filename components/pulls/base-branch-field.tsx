"use client";

import { useQuery } from "@tanstack/react-query";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { branchesQuery } from "#lib/client/pages/queries.ts";

const NONE = "";

type BaseBranchFieldProps = {
  orgId: number;
  repoId: number;
  /** Null if none is chosen. */
  branch: string | null;
  /** Label of the option for none: `Default (main)`. */
  noneLabel: string;
  onChange: (branch: string | null) => void;
  error: string | undefined;
  hint?: string;
  disabled?: boolean;
};

/** The branch that a pull request merges into; any name can be typed. */
export function BaseBranchField({
  orgId,
  repoId,
  branch,
  noneLabel,
  onChange,
  error,
  hint,
  disabled = false,
}: BaseBranchFieldProps) {
  const branches = useQuery(branchesQuery(orgId, repoId));
  const failure =
    branches.error === null ? null : `The branches could not be read. ${describeError(branches.error).detail}`;
  return (
    <Field label="Base branch" error={error} hint={failure ?? hint}>
      <Combobox
        value={branch ?? NONE}
        onValueChange={(value) => onChange(value === NONE ? null : value)}
        disabled={disabled}
        options={[
          { value: NONE, label: noneLabel, isNone: true },
          ...(branches.data?.branches ?? []).map((name) => ({ value: name, label: name })),
        ]}
        loading={branches.isLoading}
        customLabel={(text) => `Use “${text}”`}
        searchPlaceholder="Find or type a branch"
      />
    </Field>
  );
}
