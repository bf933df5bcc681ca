"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FolderGit2, Plus, SearchX } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { RefusableButton } from "#components/page/refusable-button.tsx";
import { useOrganization, useRefusal } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { SearchInput } from "#components/ui/search-input.tsx";
import { useSettled } from "#components/ui/use-settled.ts";
import { repositoriesQuery } from "#lib/client/pages/queries.ts";
import { AddRepositoryDialog } from "./add-repository-dialog.tsx";
import { RepositoryRows } from "./repository-rows.tsx";

const TYPING_PAUSE_MS = 250;
/** Whether the dialog is open, stored in the address so that a link can open it. */
const ADD = "add";

/** The organization's repositories. */
export function RepositoriesPage() {
  const { id: orgId } = useOrganization();
  const refusal = useRefusal("repos:write");
  const [text, setText] = useState("");
  const settled = useSettled(text, TYPING_PAUSE_MS);
  const found = useQuery({ ...repositoriesQuery(orgId, settled), placeholderData: keepPreviousData });
  const dialog = useAddressFlag(ADD);
  const add = (
    <RefusableButton refusal={refusal} onClick={() => dialog.set(true)}>
      <Plus aria-hidden /> Add repository
    </RefusableButton>
  );
  const isEmpty = found.data?.total === 0 && settled.trim() === "";

  return (
    <DashboardPage
      title="Repositories"
      note={found.data === undefined ? undefined : formatCount(found.data.total)}
      actions={!isEmpty && add}
    >
      {!isEmpty && (
        <search aria-label="Repositories" className="w-full md:w-64">
          <SearchInput
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            maxLength={200}
            aria-label="Search by name or source"
            placeholder="Search by name or source"
          />
        </search>
      )}
      <LoadedPart query={found} what="the repositories" heading="h2">
        {({ items, total }) =>
          isEmpty ? (
            <EmptyState
              icon={<FolderGit2 />}
              title="No repositories yet"
              description="Add one by its path on the server or by its URL. Errand keeps its own mirror and never works inside yours."
              action={add}
            />
          ) : items.length === 0 ? (
            <EmptyState icon={<SearchX />} title="No matching repositories" description="Try other words." />
          ) : (
            <RepositoryRows repositories={items} total={total} />
          )
        }
      </LoadedPart>
      <AddRepositoryDialog orgId={orgId} open={dialog.isSet && refusal === null} onOpenChange={dialog.set} />
    </DashboardPage>
  );
}

function useAddressFlag(name: string) {
  const router = useRouter();
  const pathname = usePathname();
  const isSet = useSearchParams().has(name);
  const set = (next: boolean) => {
    if (next !== isSet) router.replace(next ? `${pathname}?${name}` : pathname, { scroll: false });
  };
  return { isSet, set };
}
