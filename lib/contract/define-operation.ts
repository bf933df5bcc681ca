import { z } from "zod";
import { bodyBytesMaxDefault, type Operation } from "./operation.ts";
import { WholeNumber } from "./whole-number.ts";

type Empty = z.ZodObject<Record<never, never>, z.core.$strip>;
const empty: Empty = z.object({});

/** The shape of every path below an organization. `id` parameters are positive integers below 2^53. */
export const Id = WholeNumber(1, Number.MAX_SAFE_INTEGER);
export const OrgParams = z.object({ org_id: Id });
export type OrgParams = z.infer<typeof OrgParams>;

/** Marks a query parameter that may be repeated: its values reach the schema joined by commas. Others: the last one counts. */
export const repeatable = "x-repeatable";

/** The path of an organization (api.md writes O for it). */
export const O = "/v1/organizations/{org_id}";

/** Fills in what most operations share: no parameters, no body, JSON answer, 1 MB of body, standard rate class, no key. */
export function defineOperation<
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodType = z.ZodUndefined,
  Result extends z.ZodType = z.ZodType,
>(
  operation: Pick<
    Operation<Params, Query, Body, Result>,
    "id" | "method" | "path" | "summary" | "tag" | "scope" | "result"
  > &
    Partial<Operation<Params, Query, Body, Result>>,
): Operation<Params, Query, Body, Result> {
  return {
    aliases: [],
    description: "",
    tokenScope: null,
    act: null,
    sessionOnly: false,
    takesPassword: false,
    rateClass: "standard",
    chargedAs: null,
    resultType: "application/json",
    otherTypes: [],
    bodyBytesMax: bodyBytesMaxDefault,
    mayAccept: false,
    otherBodies: [],
    ignoredFields: [],
    idempotent: false,
    bearsSecret: false,
    stability: null,
    deprecated: null,
    // The casts rest on the defaults of the type parameters: whoever leaves a schema out has the empty one as its type.
    params: empty as unknown as Params,
    query: empty as unknown as Query,
    body: z.undefined() as unknown as Body,
    ...operation,
  };
}
