import { fillPath, queryString } from "#lib/client/request-path.ts";
import type { TryField, TryOperation } from "./try-operation.ts";

/** What stands in the form: the fields in the operation's order, and the body's text. */
export type Filled = { values: readonly string[]; body: string };

/** The request that a form asks for, or what is wrong with what was filled in. `field` is null for the body. */
export type TryRequest = { path: string; init: RequestInit } | { field: string | null; problem: string };

/** Makes the request of a form. Empty fields are left out; a path cannot do without one. */
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

/** Headers of an answer that tell a client something, in the order in which they are shown. */
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

/** The headers of an answer that are worth showing, with their values. */
export function headersShown(headers: Headers): [string, string][] {
  return shownHeaders.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** The text of an answer as it is shown: JSON with a line for each of its parts, all else as it came. */
export function answerShown(text: string, type: string | null): string {
  if (!/\bjson\b/.test(type ?? "") || /jsonl/.test(type ?? "")) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The most characters of an answer that are put onto the page. All of them are copied. */
export const shownCharactersMax = 100_000;
