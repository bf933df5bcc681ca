import type { z } from "zod";
import { repeatable } from "#lib/contract/define-operation.ts";

/** Parameters of a query schema that may be repeated. */
export function repeatableNames(query: z.ZodObject): ReadonlySet<string> {
  return new Set(Object.keys(query.shape).filter((name) => query.shape[name]?.meta()?.[repeatable] === true));
}

/** Names of all parameters of a query, with or without a value. */
export function namesInQuery(target: string): Iterable<string> {
  const start = target.indexOf("?");
  return start === -1 ? [] : new URLSearchParams(target.slice(start + 1)).keys();
}

/**
 * Parameters of a query as the schema takes them: of a repeated one the last counts, one in `repeatables` is joined by commas,
 * an empty one counts as absent.
 */
export function parseQuery(target: string, repeatables: ReadonlySet<string>): Record<string, string> {
  const parameters: Record<string, string> = {};
  const start = target.indexOf("?");
  if (start === -1 || start === target.length - 1) return parameters;
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
    if (value === "" || name === "__proto__") continue;
    const earlier = parameters[name];
    parameters[name] = Object.hasOwn(parameters, name) && repeatables.has(name) ? `${earlier},${value}` : value;
  }
  return parameters;
}
