import { type CallBody, operationPath } from "#lib/client/request.ts";
import { shellQuote } from "#lib/shell-quote.ts";

/**
 * Shell command (POSIX) that starts the same run as the form, with the token in `$ERRAND_TOKEN`. Because of -d, curl sends a
 * POST.
 */
export function createRunCommand(origin: string, orgId: number, body: CallBody<"createRun">): string {
  return [
    `curl ${shellQuote(origin + operationPath("createRun", { params: { org_id: orgId } }))}`,
    `  -H "Authorization: Bearer $ERRAND_TOKEN"`,
    `  -H "Content-Type: application/json"`,
    `  -d ${shellQuote(JSON.stringify(body))}`,
  ].join(" \\\n");
}
