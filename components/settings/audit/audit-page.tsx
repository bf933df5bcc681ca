"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, ScrollText } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { PageTurner } from "#components/page/page-turner.tsx";
import type { FilterChange } from "#components/runs/use-run-filter.ts";
import { useOrganization, useSession } from "#components/session/session.tsx";
import { formatCount } from "#components/shell/format-number.ts";
import { Button } from "#components/ui/button.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "#components/ui/dropdown-menu.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { type AuditSearch, auditSearchQuery, parseAuditSearch, wholeAudit } from "#lib/client/pages/audit-search.ts";
import { auditFile, auditQuery } from "#lib/client/pages/organization-queries.ts";
import { scopesOf } from "#lib/contract/people/role-scopes.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditRows } from "./audit-rows.tsx";

/** The organization's audit log, newest first. */
export function AuditPage() {
  const { role } = useSession();
  if (scopesOf(role).includes("org:admin")) return <AuditLog />;
  return (
    <DashboardPage title="Audit log">
      <EmptyState icon={<ScrollText />} title="Only owners and admins can read the audit log" />
    </DashboardPage>
  );
}

function AuditLog() {
  const { id: orgId } = useOrganization();
  const { search, setSearch } = useAuditSearch();
  const audit = useQuery(auditQuery(orgId, search));
  const { data } = audit;
  const isWhole = auditSearchQuery({ ...search, page: 1 }) === auditSearchQuery(wholeAudit);
  return (
    <DashboardPage
      title="Audit log"
      note={data === undefined ? undefined : formatCount(data.total)}
      actions={<Export orgId={orgId} search={search} />}
    >
      <p className="text-muted-foreground">
        Sign-ins, members, tokens, share links, repositories and settings. Records cannot be changed or deleted.
      </p>
      <AuditFilters orgId={orgId} search={search} onChange={(change, how) => setSearch({ ...change, page: 1 }, how)} />
      <LoadedPart query={audit} what="the audit log" heading="h2">
        {({ items, pages }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<ScrollText />}
              title={isWhole ? "Nothing recorded yet" : "Nothing matches"}
              description={isWhole ? "What people and tokens do appears here." : undefined}
              action={
                isWhole ? undefined : (
                  <Button variant="outline" onClick={() => setSearch(wholeAudit)}>
                    Clear filters
                  </Button>
                )
              }
            />
          ) : (
            <>
              <AuditRows orgId={orgId} records={items} />
              <PageTurner
                label="Pages of the audit log"
                page={search.page}
                pages={pages}
                onTurn={(page) => setSearch({ page })}
                back="Newer"
                forward="Older"
              />
            </>
          )
        }
      </LoadedPart>
    </DashboardPage>
  );
}

function Export({ orgId, search }: { orgId: number; search: AuditSearch }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="outline">
          <Download aria-hidden /> Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <a href={auditFile(orgId, search, "csv")} download>
            CSV
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={auditFile(orgId, search, "jsonl")} download>
            JSON lines
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** Filter and page of the log, in the page's address; a change leaves the rest of it as it is. */
function useAuditSearch(): {
  search: AuditSearch;
  setSearch: (change: Partial<AuditSearch>, how?: FilterChange) => void;
} {
  const params = useSearchParams();
  const search = useMemo(() => parseAuditSearch(params), [params]);
  const setSearch = useCallback((change: Partial<AuditSearch>, how: FilterChange = "push") => {
    const now = parseAuditSearch(new URLSearchParams(window.location.search));
    const query = auditSearchQuery({ ...now, ...change });
    const address = query === "" ? window.location.pathname : `?${query}`;
    if (how === "push") window.history.pushState(null, "", address);
    else window.history.replaceState(null, "", address);
  }, []);
  return { search, setSearch };
}
