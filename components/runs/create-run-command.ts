import { type CallBody, operationPath } from "#lib/client/request.ts";
import { shellQuote } from "#lib/shell-quote.ts";

/**
 * The command that starts a run like the form would, for a POSIX shell, with the token in `$ERRAND_TOKEN` (curl sends a POST
 * because of -d).
 */
export function createRunCommand(origin: string, orgId: number, body: CallBody<"createRun">): string {
  return [
    `curl ${shellQuote(origin + operationPath("createRun", { params: { org_id: orgId } }))}`,
    `  -H "Authorization: Bearer $ERRAND_TOKEN"`,
    `  -H "Content-Type: application/json"`,
    `  -d ${shellQuote(JSON.stringify(body))}`,
  ].join(" \\\n");
}
