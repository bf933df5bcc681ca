import { fillPath } from "#lib/client/request-path.ts";
import type { BodyInputOf } from "#lib/contract/operation.ts";
import { createRun } from "#lib/contract/run-operations.ts";

/** The command that starts a run as the form would (curl posts what it is given by -d): to be typed into a POSIX shell, the token in `$ERRAND_TOKEN`. */
export function createRunCommand(origin: string, orgId: number, body: BodyInputOf<typeof createRun>): string {
  return [
    `curl ${shellQuote(origin + fillPath(createRun.path, { org_id: orgId }))}`,
    `  -H "Authorization: Bearer $ERRAND_TOKEN"`,
    `  -H "Content-Type: application/json"`,
    `  -d ${shellQuote(JSON.stringify(body))}`,
  ].join(" \\\n");
}

/** Text as one word of a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
