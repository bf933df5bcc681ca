"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { branchesQuery, repositoriesQuery, repositoryQuery } from "#lib/client/queries.ts";

const NONE = "";

type RepositoryFieldProps = {
  orgId: number;
  repoId: number | null;
  onChange: (repoId: number | null) => void;
  error: string | undefined;
};

/** Which repository the run works in, found by typing. */
export function RepositoryField({ orgId, repoId, onChange, error }: RepositoryFieldProps) {
  const [text, setText] = useState("");
  const found = useQuery(repositoriesQuery(orgId, text));
  const isListed = found.data?.items.some(({ id }) => id === repoId) ?? false;
  const chosen = useQuery({ ...repositoryQuery(orgId, repoId ?? 0), enabled: repoId !== null && !isListed });
  const listed = [...(found.data?.items ?? [])];
  if (chosen.data !== undefined && !isListed) listed.unshift(chosen.data);
  return (
    <Field
      label="Repository"
      error={error ?? (found.error === null ? undefined : describeError(found.error).detail)}
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
          ...listed.map(({ id, full_name, source }) => ({ value: String(id), label: full_name, description: source })),
          {
            value: NONE,
            label: "No repository",
            description: "The run starts in an empty repository of its own",
            isNone: true,
          },
        ]}
        onSearchChange={setText}
        loading={found.isPending}
        searchPlaceholder="Find a repository"
        emptyText="No repository by that name"
      />
    </Field>
  );
}

type BranchFieldProps = {
  orgId: number;
  /** Null where there is no repository and so no branch to choose. */
  repoId: number | null;
  branch: string;
  onChange: (branch: string) => void;
  error: string | undefined;
};

/** Which branch the run begins at; any name can be typed, for a list is never quite new. */
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
