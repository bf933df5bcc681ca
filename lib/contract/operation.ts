import type { z } from "zod";
import type { RunAct } from "./run-acts.ts";

/** What a token or a role may do (api.md, "Authentication"). */
export const scopes = [
  "runs:read",
  "runs:write",
  "repos:read",
  "repos:write",
  "org:read",
  "org:admin",
  "ingest:write",
] as const;
export type Scope = (typeof scopes)[number];

/** What a caller proves who they are with: an API token, or the session of a browser. */
export type CallerKind = "token" | "session";

/** Every rate class but `none` (api.md, "Rate limits"). */
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

/** The rate class of an operation; `share` is for readers of a share link, `none` for what is not limited. */
export type RateClass = (typeof rateClasses)[number] | "none";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The default limit of a JSON body in bytes (api.md, "Errors"). */
export const bodyBytesMaxDefault = 1024 * 1024;

/** Every kind of answer that is not JSON names its media type here. */
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
  /** The day since which it should not be used any more. */
  since: string;
  /** The first day on which it may no longer work. */
  sunset: string;
  /** What to do instead: a path of this installation, its entry on /docs/changelog. */
  link: string;
};

/**
 * One operation of the API as data: the route, the documentation, the client's types and the validation all read this.
 * `path` uses `{name}` for parameters; `aliases` are further paths that do the same.
 * `scope` null means that no authentication is needed; "any" means any authenticated caller.
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
  tag: string;
  scope: Scope | "any" | null;
  /** Scope that a token needs for what a session may do with `scope` alone; null where both need the same. */
  tokenScope: Scope | null;
  /** What it does to a run: whose it is decides then who may (run-acts.ts). Null where that does not matter. */
  act: RunAct | null;
  /** Asked by a person in their browser alone: a token is refused with 403. */
  sessionOnly: boolean;
  /** Takes a password, which could be guessed: attempts are counted by address before anything is looked at, whatever comes of them. */
  takesPassword: boolean;
  rateClass: RateClass;
  /** The rate class where the body decides it, whatever else is in there; `rateClass` is for a body that cannot be read. */
  chargedAs: ((body: unknown) => RateClass) | null;
  params: Params;
  query: Query;
  body: Body;
  result: Result;
  resultType: MediaType;
  /** Further types of the same answer, where a query chooses. */
  otherTypes: MediaType[];
  bodyBytesMax: number;
  /**
   * Media types of a body beside JSON, which the route reads itself (QuickReader). A body of such an operation may also come with
   * `Content-Encoding: gzip`; its bound holds for what comes out.
   */
  otherBodies: readonly string[];
  /** Answers 202 where what came is kept and worked on later. */
  mayAccept: boolean;
  /** Fields of a body that are taken and not used, because the reference service knows them; any other unknown one is 400. */
  ignoredFields: readonly string[];
  /** Takes `Idempotency-Key`. What it does is written in one transaction, so it may read and write the store and nothing else. */
  idempotent: boolean;
  /** The path itself lets in whoever knows it: answers are kept by nobody, listed by no robot, and named to no other site. */
  bearsSecret: boolean;
  /** Sent as `X-Errand-Stability` where set. */
  stability: "alpha" | null;
  /** Told by every answer (`Deprecation`, `Sunset`, `Link`) where set; a test asks for its entry in changelog.ts, and for enough notice. */
  deprecated: Deprecation | null;
};

/** What of a request names the organization that it is about; null where it is about the caller alone. */
export function organizationIn({
  path,
  query,
  body,
}: Pick<AnyOperation, "path" | "query" | "body">): "path" | "query" | "body" | null {
  if (path.includes("{org_id}")) return "path";
  if ("org_id" in query.shape) return "query";
  return "shape" in body && "org_id" in Object(body.shape) ? "body" : null;
}

/** Scope that a caller of this kind needs for the operation; null where being a member is enough. */
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
/** What a client sends: before defaults are filled in. */
export type QueryInputOf<O extends AnyOperation> = z.input<O["query"]>;
export type BodyInputOf<O extends AnyOperation> = z.input<O["body"]>;
