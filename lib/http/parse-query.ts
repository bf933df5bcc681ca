import type { z } from "zod";
import { repeatable } from "#lib/contract/define-operation.ts";

/** Parameters of a query schema that may be repeated, with what joins their values. */
export function repeatableNames(query: z.ZodObject): ReadonlyMap<string, string> {
  const marks = Object.entries(query.shape).map(([name, schema]): [string, unknown] => [
    name,
    schema.meta()?.[repeatable],
  ]);
  return new Map(marks.flatMap(([name, mark]) => (mark == null ? [] : [[name, mark === true ? "," : String(mark)]])));
}

/** Names of all parameters of a query, with or without a value. */
export function namesInQuery(target: string): Iterable<string> {
  const start = target.indexOf("?");
  return start === -1 ? [] : new URLSearchParams(target.slice(start + 1)).keys();
}

/**
 * Parameters of a query as the schema takes them: of a repeated one the last counts, one in `repeatables` is joined, an
 * empty one counts as absent.
 */
export function parseQuery(target: string, repeatables: ReadonlyMap<string, string>): Record<string, string> {
  const parameters: Record<string, string> = {};
  const start = target.indexOf("?");
  if (start === -1 || start === target.length - 1) return parameters;
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
    if (value === "" || name === "__proto__") continue;
    const earlier = parameters[name];
    const joint = repeatables.get(name);
    parameters[name] = Object.hasOwn(parameters, name) && joint !== undefined ? `${earlier}${joint}${value}` : value;
  }
  return parameters;
}
