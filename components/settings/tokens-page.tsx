"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { DashboardPage } from "#components/page/dashboard-page.tsx";
import { LoadedPart } from "#components/page/loaded-part.tsx";
import { PageTurner, usePageNumber } from "#components/page/page-turner.tsx";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { tokensQuery } from "#lib/client/pages/queries.ts";
import type { ListedToken } from "#lib/contract/people/token.ts";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";
import { TokenRows } from "./token-rows.tsx";

/** The API tokens: list, creation and revocation. */
export function TokensPage() {
  const { id: orgId } = useOrganization();
  const [page, turnTo] = usePageNumber();
  const tokens = useQuery(tokensQuery(orgId, page));
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<ListedToken | null>(null);
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New token
    </Button>
  );
  const isEmpty = tokens.data?.total === 0;
  return (
    <DashboardPage title="API tokens" actions={!isEmpty && create}>
      <p className="text-muted-foreground">
        A token lets a program act for you, within the role you give it. See the{" "}
        <Link href="/docs" className="text-link underline underline-offset-4">
          API docs
        </Link>{" "}
        for how to use it.
      </p>
      <LoadedPart query={tokens} what="the tokens" lines={3} heading="h2">
        {({ items, pages }) =>
          isEmpty ? (
            <EmptyState
              icon={<KeyRound />}
              title="No tokens yet"
              description="Scripts, builds and other services use a token to start and follow runs through the API."
              action={create}
            />
          ) : (
            <>
              <TokenRows tokens={items} onRevoke={setRevoked} />
              <PageTurner
                label="Pages of tokens"
                page={page}
                pages={pages}
                onTurn={turnTo}
                back="Newer"
                forward="Older"
              />
            </>
          )
        }
      </LoadedPart>
      {isCreating && <CreateTokenDialog orgId={orgId} onClose={() => setCreating(false)} />}
      {revoked !== null && <RevokeTokenDialog orgId={orgId} token={revoked} onClose={() => setRevoked(null)} />}
    </DashboardPage>
  );
}
