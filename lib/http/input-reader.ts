import type { AnyOperation, BodyOf, ParamsOf, QueryOf } from "#lib/contract/operation.ts";
import type { Call } from "./call.ts";
import { parseInput } from "./field-errors.ts";
import { namesInQuery, parseQuery, repeatableNames } from "./parse-query.ts";
import { parseJson, readBody } from "./read-body.ts";
import { ignoredHeader, refuseUnknown, unknownInput } from "./unknown-fields.ts";

/** Input of a service function besides its context: parsed and bounded by the operation's schemas. */
export type Input<O extends AnyOperation, Quick = never> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O> | Quick;
};

/** Reads a body with its own parser, as strict as the operation's schema; null falls back to the schema. */
export type QuickReader<Quick> = (bytes: Uint8Array, contentType: string | null) => Quick | null;

type Rest<O extends AnyOperation, Quick> = {
  query: QueryOf<O>;
  body: BodyOf<O> | Quick;
  bytes: Uint8Array;
  headers: Record<string, string>;
};

const noBytes = new Uint8Array();

/** Reads what a request gives an operation: parameters of the path, query and body, each by its schema. Throws 400 naming the field. */
export function inputReader<O extends AnyOperation, Quick>(operation: O, readQuickly: QuickReader<Quick> | null) {
  const repeatables = repeatableNames(operation.query);
  const takesQuery = Object.keys(operation.query.shape).length > 0;
  const takesBody = operation.body.def.type !== "undefined";
  return {
    params(given: Record<string, string>): ParamsOf<O> {
      return parseInput(operation.params, given, "path") as ParamsOf<O>;
    },
    /** `isLenient`: what is unknown is ignored, and named in the `headers`. */
    async rest(call: Call, isLenient = false): Promise<Rest<O, Quick>> {
      const query = takesQuery ? parseQuery(call.target, repeatables) : {};
      const bytes = takesBody ? await readBody(call, operation) : noBytes;
      const quick = readQuickly?.(bytes, call.header("content-type")) ?? null;
      const body = quick === null && takesBody ? parseJson(bytes) : undefined;
      // Whoever only looks whether the service is well may add anything, such as a number against caches.
      const names = operation.rateClass === "none" ? [] : namesInQuery(call.target);
      const unknown = unknownInput(operation, { names, body });
      if (!isLenient) refuseUnknown(unknown);
      // The casts rest on parseInput: its result is the output of the very schema that QueryOf and BodyOf name.
      return {
        query: parseInput(operation.query, query, "query") as QueryOf<O>,
        body: quick ?? ((takesBody ? parseInput(operation.body, body, "body") : undefined) as BodyOf<O>),
        bytes,
        headers: ignoredHeader(unknown),
      };
    },
  };
}
