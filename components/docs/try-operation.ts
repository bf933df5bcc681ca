import type { AnyOperation } from "#lib/contract/operation.ts";
import type { OperationWords } from "./api-description.ts";
import type { Field } from "./schema-fields.ts";

/** A field of the form with which an operation is tried. */
export type TryField = {
  name: string;
  place: "path" | "query" | "header";
  isRequired: boolean;
  /** Allowed values; empty if others are accepted too. */
  choices: string[];
  /** Initial value. */
  value: string;
  /** Bounds and default, in a few words. */
  hint: string;
};

/** The parts of an operation that the browser needs to try it. */
export type TryOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  accepts: string;
  fields: TryField[];
  /** Initial JSON of the body; null if there is no body. */
  body: string | null;
};

/** Reason an operation cannot be tried from the documentation, as a sentence; null if it can. */
export function whyNotTried({ method, scope, takesPassword, notTried }: AnyOperation): string | null {
  if (takesPassword) return "It is part of signing in, or takes a password.";
  if (method !== "GET" && scope === null) return notTried ?? "It works with a code or a signature, not with a session.";
  return notTried;
}

/** The form for an operation; `organizationId` is the reader's. */
export function tryOperation(words: OperationWords, organizationId: number): TryOperation {
  const { operation, pathFields, queryFields, headerFields, body } = words;
  const fieldsAt = (place: TryField["place"], fields: Field[]) =>
    fields.map(({ name, isRequired, choices, rules }) => ({
      name,
      place,
      isRequired: place === "path" || isRequired,
      choices,
      value: name === "org_id" ? String(organizationId) : "",
      hint: choices.length > 0 ? "" : rules.join(", "),
    }));
  return {
    id: operation.id,
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    accepts: operation.resultType,
    // Browsers revalidate by themselves, so people do not need this header.
    fields: [
      ...fieldsAt("path", pathFields),
      ...fieldsAt("query", queryFields),
      ...fieldsAt(
        "header",
        headerFields.filter(({ name }) => name !== "If-None-Match"),
      ),
    ],
    body: body === null ? null : (body.sample ?? "{}"),
  };
}
