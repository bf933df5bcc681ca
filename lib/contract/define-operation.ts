import { z } from "zod";
import { type Address, addresses, addressesByTag, type OperationId } from "./addresses.ts";
import { bodyBytesMaxDefault, type Operation } from "./operation.ts";
import { WholeNumber } from "./whole-number.ts";

type Empty = z.ZodObject<Record<never, never>, z.core.$strip>;
const empty: Empty = z.object({});

/** Path parameters below an organization. `id` parameters are positive integers below 2^53. */
export const Id = WholeNumber(1, Number.MAX_SAFE_INTEGER);
export const OrgParams = z.object({ org_id: Id.describe("The organization").meta({ example: 1 }) });
export type OrgParams = z.infer<typeof OrgParams>;
export const RunParams = OrgParams.extend({ agent_run_id: Id.describe("The run") });
export const RepositoryParams = OrgParams.extend({ repo_id: Id.describe("The repository").meta({ example: 1 }) });

/**
 * Marks a query parameter that may be repeated: `true` joins the values with commas before they reach the schema, a string joins
 * them with that string. For parameters without it, the last value counts.
 */
export const repeatable = "x-repeatable";

const tags = new Map(
  Object.entries(addressesByTag).flatMap(([tag, group]) => Object.keys(group).map((id) => [id, tag])),
);

/** What an operation defines itself; the rest is in addresses.ts, or common to most operations. */
type Definition<O extends Operation> = Pick<O, "summary" | "scope" | "result"> &
  Partial<Omit<O, "id" | "tag" | keyof Address>>;

/**
 * An operation at its address (addresses.ts). Fills in what most share: no parameters, no body, 1 MB of body, standard rate class,
 * no key.
 */
export function defineOperation<
  Id extends OperationId,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodType = z.ZodUndefined,
  Result extends z.ZodType = z.ZodType,
>(
  operation: { id: Id } & Definition<Operation<Params, Query, Body, Result>>,
): Operation<Params, Query, Body, Result> & { id: Id } {
  const { method, path, resultType } = addresses[operation.id];
  return {
    method,
    path,
    tag: tags.get(operation.id) ?? "",
    aliases: [],
    description: "",
    tokenScope: null,
    act: null,
    sessionOnly: false,
    takesPassword: false,
    rateClass: "standard",
    chargedAs: null,
    resultType,
    events: null,
    otherTypes: [],
    bodyBytesMax: bodyBytesMaxDefault,
    mayAccept: false,
    tagged: method === "GET" && resultType === "application/json" && operation.scope !== null,
    ifMatch: false,
    changesSession: false,
    refusals: [],
    notTried: null,
    otherBodies: [],
    isReference: false,
    ignoredFields: [],
    idempotent: null,
    hasEffect: null,
    bearsSecret: false,
    stability: null,
    deprecated: null,
    // The casts rest on the defaults of the type parameters: if a schema is left out, its type is the empty one.
    params: empty as unknown as Params,
    query: empty as unknown as Query,
    body: z.undefined() as unknown as Body,
    ...operation,
  };
}
