import type { z } from "zod";
import { ApiError, type FieldError } from "#lib/contract/error.ts";
import { ExactNumber } from "#lib/contract/exact-json.ts";

/** Source of invalid input. */
export type Source = "path" | "query" | "body";

/** How many invalid fields a response names; a body of megabytes can have millions. */
export const fieldErrorsMax = 100;

/**
 * Parses input with an operation's schema; throws a 400 that lists the first {@link fieldErrorsMax} invalid fields, with the first
 * one in its detail.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, source: Source): z.output<Schema> {
  const error = (issue: z.core.$ZodRawIssue) => explain(issue, source);
  const exact = schema.safeParse(input, { error });
  const parsed =
    exact.success || !withPlainNumbers(input, exact.error.issues) ? exact : schema.safeParse(input, { error });
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, fieldErrorsMax).map((issue): FieldError => {
    const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
    return { loc: [source, ...path], msg: issue.message, type: issue.code };
  });
  const first = fields[0];
  const place = first === undefined || first.loc.length === 1 ? source : first.loc.slice(1).join(".");
  throw new ApiError("invalid_parameters", `${place}: ${first?.msg ?? "is not valid"}`, { fields });
}

/**
 * Makes ordinary numbers of the exact ones that `issues` are about: fields of the contract take those, whose bounds say what is wrong
 * with too large ones. False if there are none.
 */
function withPlainNumbers(input: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let hasChanged = false;
  for (const { path } of issues) {
    const name = path.at(-1);
    const holder = path.slice(0, -1).reduce((value: unknown, part) => Object(value)[part], input);
    const value: unknown = name === undefined ? undefined : Object(holder)[name];
    if (!(value instanceof ExactNumber)) continue;
    Object.assign(Object(holder), { [name as string]: Number(value) });
    hasChanged = true;
  }
  return hasChanged;
}

/** Error messages for people. Messages set in a schema win: zod asks those first. */
function explain(issue: z.core.$ZodRawIssue, source: Source): string {
  switch (issue.code) {
    case "invalid_type":
      return explainType(issue.input, issue.expected, source);
    case "too_small":
      return bound("at least", Number(issue.minimum), issue.origin);
    case "too_big":
      return bound("at most", Number(issue.maximum), issue.origin);
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.join(", ")}`;
    case "invalid_format":
      return issue.format === "datetime"
        ? "must be a date and time such as 2026-01-31T23:59:59Z"
        : "does not have the right form";
    default:
      return "is not valid";
  }
}

const typeNames: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

function explainType(input: unknown, expected: string, source: Source): string {
  if (input === undefined) return "is required";
  // Numbers in a path or query are integers, and arrive here as NaN if the text was none.
  const type = source !== "body" && expected === "number" ? "int" : expected;
  return `must be ${typeNames[type] ?? expected}`;
}

function bound(words: string, limit: number, origin: string): string {
  const many = limit === 1 ? "" : "s";
  if (origin === "string") return `must have ${words} ${limit} character${many}`;
  if (origin === "array" || origin === "set") return `must have ${words} ${limit} item${many}`;
  return `must be ${words} ${limit}`;
}
