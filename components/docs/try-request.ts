import { fillPath, queryString } from "#lib/client/request-path.ts";
import type { TryField, TryOperation } from "./try-operation.ts";

/** Contents of the form: the fields in the operation's order, and the body's text. */
export type Filled = { values: readonly string[]; body: string };

/** The request of a form, or the problem with its input. `field` is null for the body. */
export type TryRequest = { path: string; init: RequestInit } | { field: string | null; problem: string };

/** Builds a form's request. Empty fields are left out; a path requires all of its fields. */
export function tryRequest({ method, path, accepts, fields, body }: TryOperation, filled: Filled): TryRequest {
  const valuesAt = (place: TryField["place"]): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap((field, index) => {
        const value = filled.values[index]?.trim() ?? "";
        return field.place === place && value !== "" ? [[field.name, value]] : [];
      }),
    );
  const params = valuesAt("path");
  const missing = fields.find(({ name, place }) => place === "path" && params[name] === undefined);
  if (missing !== undefined) return { field: missing.name, problem: `The path needs ${missing.name}.` };
  const headers: Record<string, string> = { accept: accepts, ...valuesAt("header") };
  const init: RequestInit = { method, headers };
  if (body !== null) {
    const problem = jsonProblem(filled.body);
    if (problem !== null) return { field: null, problem };
    headers["content-type"] = "application/json";
    init.body = filled.body;
  }
  return { path: fillPath(path, params) + queryString(valuesAt("query")), init };
}

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Response headers that matter to a client, in display order. */
const shownHeaders = [
  "Content-Type",
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "ETag",
  "Idempotency-Replayed",
  "X-Errand-Stability",
  "Deprecation",
  "Sunset",
  "Link",
  "Allow",
];

/** The relevant headers of a response, with their values. */
export function headersShown(headers: Headers): [string, string][] {
  return shownHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** Text of a response for display: JSON with a line per part, anything else unchanged. */
export function answerShown(text: string, type: string | null): string {
  if (!/\bjson\b/.test(type ?? "") || /jsonl/.test(type ?? "")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Maximum number of characters shown of a response. Copying includes all of them. */
export const shownCharactersMax = 100_000;
