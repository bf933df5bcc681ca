import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ComboboxOption } from "#components/ui/combobox-matches.ts";
import { repositoriesQuery, repositoryQuery } from "#lib/client/pages/queries.ts";

/**
 * Repositories for a Combobox: the server is asked for those that contain the typed text, because an organization may have more
 * than one response holds. The chosen one is always included.
 */
export function useRepositoryOptions(orgId: number, repoId: number | null) {
  const [text, setText] = useState("");
  const found = useQuery(repositoriesQuery(orgId, text));
  const items = found.data?.items ?? [];
  const isMissing = repoId !== null && items.every(({ id }) => id !== repoId);
  const chosen = useQuery({ ...repositoryQuery(orgId, repoId ?? 0), enabled: isMissing });
  const listed = isMissing && chosen.data !== undefined ? [chosen.data, ...items] : items;
  return {
    options: listed.map(
      ({ id, full_name, source }): ComboboxOption => ({ value: String(id), label: full_name, description: source }),
    ),
    error: found.error,
    search: {
      onSearchChange: setText,
      loading: found.isPending,
      searchPlaceholder: "Find a repository",
      emptyText: "No matching repository",
    },
  };
}
