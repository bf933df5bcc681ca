"use client";

import { CommandLine } from "#components/page/command-line.tsx";
import { useSession } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogFooter } from "#components/ui/dialog.tsx";
import { type CallResult, operationPath } from "#lib/client/request.ts";

/** The secret of a new token, and how to try it. */
export function TokenSecret({ token, onDone }: { token: CallResult<"createToken">; onDone: () => void }) {
  const { organization, origin } = useSession();
  const url = origin + operationPath("listRuns", { params: { org_id: organization.id } });
  return (
    <div className="grid min-w-0 gap-4">
      <CommandLine command={token.token} label="Copy token" />
      <div className="grid gap-1.5">
        <p className="text-[13px] text-muted-foreground">Try it:</p>
        <CommandLine command={`curl ${url} \\\n  -H "Authorization: Bearer ${token.token}"`} />
      </div>
      <DialogFooter>
        <Button onClick={onDone}>I have copied it</Button>
      </DialogFooter>
    </div>
  );
}
