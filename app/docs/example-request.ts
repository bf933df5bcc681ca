import { shellQuote } from "#components/runs/create-run-command.ts";
import { fillPath } from "#lib/client/request-path.ts";
import { exampleBodies, exampleQueries } from "#lib/contract/openapi-examples.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";

/** What stands in an example's path where no number does. */
const wordsOf: Record<string, string> = { share_token: "TOKEN", code: "CODE" };

/** A command that calls an operation, for a POSIX shell with the token in `$ERRAND_TOKEN`. */
export function exampleRequest(origin: string, operation: AnyOperation): string {
  const { id, method, path, scope, sessionOnly, resultType } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const params = Object.fromEntries(names.map((name) => [name, wordsOf[name] ?? 1]));
  const url = origin + fillPath(path, params) + exampleQuery(id);
  const isStream = resultType === "text/event-stream";
  const lines = [`curl ${isStream ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}${shellQuote(url)}`];
  if (sessionOnly) lines.push(`  -b "errand_session=$ERRAND_SESSION" -H "Sec-Fetch-Site: same-origin"`);
  else if (scope !== null) lines.push(`  -H "Authorization: Bearer $ERRAND_TOKEN"`);
  if (exampleBodies[id] !== undefined) {
    lines.push(`  -H "Content-Type: application/json"`, `  -d ${shellQuote(JSON.stringify(exampleBodies[id]))}`);
  }
  return lines.join(" \\\n");
}

function exampleQuery(id: string): string {
  const parameters = Object.entries(exampleQueries[id] ?? {}).map(([name, value]) => `${name}=${value}`);
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}
