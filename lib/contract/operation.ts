import type { z } from "zod";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import type { RunAct } from "#lib/contract/runs/run-acts.ts";
import type { ErrorCode } from "./error.ts";

/** Credentials: an API token, or a browser session. */
export type CallerKind = "token" | "session";

/** Every rate class except `none` (/docs, "Rate limits"). */
export const rateClasses = [
  "standard",
  "logs",
  "create",
  "setup",
  "analysis",
  "ingest",
  "edit",
  "webhook_test",
  "share",
] as const;

/** Rate class of an operation; `share` is for readers of a share link, `none` is unlimited. */
export type RateClass = (typeof rateClasses)[number] | "none";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The default limit of a JSON body in bytes (/docs, "Errors"). */
export const bodyBytesMaxDefault = 1024 * 1024;

/** Media types of responses that are not JSON. */
export type MediaType =
  | "application/json"
  | "text/event-stream"
  | "text/x-diff"
  | "text/markdown"
  | "text/html"
  | "text/csv"
  | "application/jsonl";

/** When an operation was deprecated, and until when it works (compatibility.ts). Days are YYYY-MM-DD, in UTC. */
export type Deprecation = {
  /** Day since which it should no longer be used. */
  since: string;
  /** First day on which it may no longer work. */
  sunset: string;
  /** Where to read what to do instead: a path of this installation, its entry on /docs/changelog. */
  link: string;
};

/**
 * One operation of the API as data, read by the route, the documentation, the client's types and the validation. `path` uses
 * `{name}` for parameters; `aliases` are further paths that do the same. `scope` null means that no authentication is needed;
 * "any" means any authenticated caller.
 */
export type Operation<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Result extends z.ZodType = z.ZodType,
> = {
  id: string;
  method: Method;
  path: string;
  aliases: string[];
  summary: string;
  description: string;
  /** Its heading in addresses.ts: a page of the documentation. */
  tag: string;
  scope: Scope | "any" | null;
  /** Scope that a token needs where a session needs only `scope`; null if both need the same. */
  tokenScope: Scope | null;
  /** Its action on a run: its owner then decides who may do it (run-acts.ts). Null if that does not matter. */
  act: RunAct | null;
  /** For people in a browser only: a token is refused with 403. */
  sessionOnly: boolean;
  /**
   * Takes a password, which could be guessed: attempts are counted by address before anything is checked, whatever the outcome.
   */
  takesPassword: boolean;
  rateClass: RateClass;
  /** Rate class if the body decides it, whatever else it contains; `rateClass` is for an unreadable body. */
  chargedAs: ((body: unknown) => RateClass) | null;
  params: Params;
  query: Query;
  body: Body;
  result: Result;
  resultType: MediaType;
  /** Of an event stream: the data of each event, by its name. */
  events: Record<string, z.ZodType> | null;
  /** Further media types of the same response, chosen by the query. */
  otherTypes: MediaType[];
  bodyBytesMax: number;
  /**
   * Media types of a body besides JSON, which the route reads itself (QuickReader). A body of such an operation may also arrive
   * with `Content-Encoding: gzip`; its limit applies to the uncompressed size.
   */
  otherBodies: readonly string[];
  /** Responses have an ETag. By default those of reads in JSON that need authentication. */
  tagged: boolean;
  /** Takes `If-Match`: refuses to change anything but what it names, with 412. If false, a change refuses any `If-Match` but `*`. */
  ifMatch: boolean;
  /** Starts or ends a browser session: it returns a SessionChange. */
  changesSession: boolean;
  /** Errors of its own, besides those that follow from its other fields (openapi-errors.ts). */
  refusals: readonly ErrorCode[];
  /** Why nobody should try it from the documentation, as a sentence; null if there is no reason. */
  notTried: string | null;
  /** Responds with 202 to what is stored and processed later. */
  mayAccept: boolean;
  /**
   * Also an operation of the reference service. What a token with its vocabulary (`status_style`) sends besides is ignored, and named
   * in `X-Errand-Ignored`; from everybody else it is refused.
   */
  isReference: boolean;
  /** Body fields that are accepted and ignored, because the reference service has them; any other unknown one gives 400. */
  ignoredFields: readonly string[];
  /**
   * Takes `Idempotency-Key`. `once`: it takes effect once per key, in one transaction with its response, so it may read and write the
   * store and nothing else. `repeatable`: asked again, it has no further effect anyway, and answers with what is then the case. Null:
   * a POST refuses a key, and for other methods it means nothing.
   */
  idempotent: "once" | "repeatable" | null;
  /** Of an operation with `idempotent: once`: whether a request with this body has an effect; null: every one has. */
  hasEffect: ((body: unknown) => boolean) | null;
  /** Knowing the path gives access: responses are not cached, indexed, or revealed to other sites. */
  bearsSecret: boolean;
  /** Sent as `X-Errand-Stability` if set. */
  stability: "alpha" | null;
  /**
   * Sent with every response (`Deprecation`, `Sunset`, `Link`) if set; a test requires its entry in changelog.ts, and enough
   * notice.
   */
  deprecated: Deprecation | null;
};

/** Where a request names its organization; null if it concerns only the caller. */
export function organizationIn({
  path,
  query,
  body,
}: Pick<AnyOperation, "path" | "query" | "body">): "path" | "query" | "body" | null {
  if (path.includes("{org_id}")) return "path";
  if ("org_id" in query.shape) return "query";
  return "shape" in body && "org_id" in Object(body.shape) ? "body" : null;
}

/** Scope that a caller of this kind needs for the operation; null if being a member is enough. */
export function neededScope(operation: Pick<AnyOperation, "scope" | "tokenScope">, kind: CallerKind): Scope | null {
  if (kind === "token" && operation.tokenScope !== null) return operation.tokenScope;
  return operation.scope === "any" ? null : operation.scope;
}

/** Any operation, where the concrete schemas do not matter. */
export type AnyOperation = Operation<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>;

export type ParamsOf<O extends AnyOperation> = z.output<O["params"]>;
export type QueryOf<O extends AnyOperation> = z.output<O["query"]>;
export type BodyOf<O extends AnyOperation> = z.output<O["body"]>;
export type ResultOf<O extends AnyOperation> = z.output<O["result"]>;
/** Input from a client: before defaults are filled in. */
export type QueryInputOf<O extends AnyOperation> = z.input<O["query"]>;
export type BodyInputOf<O extends AnyOperation> = z.input<O["body"]>;
