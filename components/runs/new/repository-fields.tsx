"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { branchesQuery } from "#lib/client/pages/queries.ts";

const NONE = "";

type RepositoryFieldProps = {
  orgId: number;
  repoId: number | null;
  onChange: (repoId: number | null) => void;
  error: string | undefined;
};

/** The run's repository, found by typing. */
export function RepositoryField({ orgId, repoId, onChange, error }: RepositoryFieldProps) {
  const { options, error: failure, search } = useRepositoryOptions(orgId, repoId);
  return (
    <Field
      label="Repository"
      error={error ?? (failure === null ? undefined : describeError(failure).detail)}
      hint={
        <Link href="/repositories?add" className="text-link underline-offset-4 hover:underline">
          Add a repository
        </Link>
      }
    >
      <Combobox
        value={repoId === null ? NONE : String(repoId)}
        onValueChange={(value) => onChange(value === NONE ? null : Number(value))}
        options={[
          ...options,
          {
            value: NONE,
            label: "No repository",
            description: "The run starts in a new, empty repository",
            isNone: true,
          },
        ]}
        {...search}
      />
    </Field>
  );
}

type BranchFieldProps = {
  orgId: number;
  /** Null without a repository, and so without branches. */
  repoId: number | null;
  branch: string;
  onChange: (branch: string) => void;
  error: string | undefined;
};

/** The base branch; any name can be typed, because a list is never quite up to date. */
export function BranchField({ orgId, repoId, branch, onChange, error }: BranchFieldProps) {
  const {
    data,
    error: failure,
    isLoading,
  } = useQuery({ ...branchesQuery(orgId, repoId ?? 0), enabled: repoId !== null });
  const standard = data?.default_branch;
  const label = repoId === null ? "–" : standard ? `Default (${standard})` : "Default";
  return (
    <Field
      label="Base branch"
      error={error}
      hint={
        failure === null || repoId === null
          ? undefined
          : `Its branches could not be read. ${describeError(failure).detail}`
      }
    >
      <Combobox
        value={repoId === null ? NONE : branch}
        onValueChange={onChange}
        disabled={repoId === null}
        options={[
          { value: NONE, label, isNone: true },
          ...(data?.branches ?? []).map((name) => ({ value: name, label: name })),
        ]}
        loading={isLoading}
        customLabel={(text) => `Use “${text}”`}
        searchPlaceholder="Find or type a branch"
      />
    </Field>
  );
}
