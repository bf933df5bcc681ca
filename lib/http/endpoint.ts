import { authenticate } from "#lib/auth/authenticate.ts";
import { findMember, requireScope } from "#lib/auth/authorize.ts";
import { refuseCrossSite } from "#lib/auth/same-origin.ts";
import { ApiError } from "#lib/contract/error.ts";
import {
  type AnyOperation,
  type BodyOf,
  neededScope,
  organizationIn,
  type ParamsOf,
  type QueryOf,
} from "#lib/contract/operation.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import { readerKey } from "#lib/limits/rate-limits.ts";
import { once } from "#lib/once.ts";
import { takesNoTags } from "#lib/service/if-match.ts";
import type { CallerContext, OrganizationContext, ServiceContext } from "#lib/service/service-context.ts";
import { troubleError } from "#lib/service/store-trouble.ts";
import { type Answer, toResponse } from "./answer.ts";
import { type Call, callOf } from "./call.ts";
import { countFailure } from "./count-failure.ts";
import { deprecationHeaders } from "./deprecation-headers.ts";
import { countOpen } from "./event-stream.ts";
import { answerOnce } from "./idempotency.ts";
import { type Input, inputReader, type QuickReader } from "./input-reader.ts";
import { presentReply } from "./present-reply.ts";
import { ownOriginHeaders, problemAnswer } from "./problem.ts";
import { parseJson, readBody } from "./read-body.ts";
import { requestIdOf } from "./request-id.ts";
import { getRuntime, type HttpRuntime } from "./runtime-access.ts";
import { secrets } from "./secrets.ts";
import { serviceContextOf } from "./service-context-of.ts";

type NamesOrganization<T> = T extends { org_id: number } ? true : false;

/** If the path, the query or the body names an organization, the function gets the member; otherwise the caller. */
export type ContextOf<O extends AnyOperation> = true extends
  | NamesOrganization<ParamsOf<O>>
  | NamesOrganization<QueryOf<O>>
  | NamesOrganization<BodyOf<O>>
  ? OrganizationContext
  : CallerContext;

type RouteContext = { params: Promise<Record<string, string> | undefined> };

/** An operation as a route exports it: the signature of a Next route handler, and the same without a Request for the front. */
export type Endpoint = {
  /** Next gives `params` undefined if the path has none. */
  (request: Request, context: RouteContext): Promise<Response>;
  readonly operation: AnyOperation;
  answer(call: Call, params: Record<string, string>): Promise<Answer>;
};

/**
 * An operation as its route exports it. Every request goes through: id, authentication, rate limit, path, organization, scope,
 * query, body, service function, presentation (the last three once per key if the operation takes one). A body may take minutes
 * to arrive: authentication, organization and scope are then checked again. Every response carries X-Request-Id; whatever is
 * thrown becomes a problem (/docs, "Errors").
 */
export function endpoint<O extends AnyOperation, Quick = never>(
  operation: O,
  verb: (context: ContextOf<O>, input: Input<O, Quick>) => unknown,
  readQuickly: QuickReader<Quick> | null = null,
): Endpoint {
  if (operation.scope === null) throw new Error(`${operation.id} needs no authentication: use publicEndpoint`);
  const readInput = inputReader(operation, readQuickly);
  const place = organizationIn(operation);
  return makeEndpoint(operation, async (call, given, runtime, sent) => {
    const caller = await authenticate(call, runtime.store, runtime.publicUrl);
    const isBodyUnderWay = !call.hasArrived;
    const isLenient = operation.isReference && caller.statusStyle === "reference";
    const rest = once(() => readInput.rest(call, isLenient));
    Object.assign(sent, await runtime.limits.admit(caller, await classOf(operation, rest)));
    if (operation.sessionOnly && caller.kind !== "session") throw refusedToken();
    if (operation.takesPassword) await runtime.limits.countFailure(call.address);
    const tags = call.header("if-match");
    const isChange = call.method !== "GET" && call.method !== "HEAD";
    if (isChange && !operation.ifMatch && tags !== null && tags.trim() !== "*") throw takesNoTags();
    const params = readInput.params(given);
    const context: CallerContext = Object.assign(serviceContextOf(call, runtime), { caller });
    const enter = async (named: object) => {
      const organizationId = "org_id" in named ? Number(named.org_id) : 0;
      const member = await admitMember(operation, context.caller, organizationId, runtime.store);
      const isStillAllowed = () => wouldAdmit(operation, call, organizationId, runtime);
      const access = { organizationId, userId: caller.userId, role: member.role };
      Object.assign(context, { member, access, isStillAllowed });
    };
    if (place === "path") await enter(params);
    return await answerOnce(call, { operation, caller, params }, runtime, async () => {
      const { bytes, headers, ...input } = await rest();
      Object.assign(sent, headers);
      if (isBodyUnderWay && bytes.length > 0) {
        context.caller = await authenticate(call, runtime.store, runtime.publicUrl);
        if (place === "path") await enter(params);
      }
      if (place === "query" || place === "body") await enter(Object(input[place]));
      const work = async (store: ServiceContext["store"]) => {
        context.store = store;
        // The operation names an organization exactly when ContextOf asks for a member: both read the same schemas.
        const said = await verb(context as ContextOf<O>, { params, ...input });
        const reply = countOpen(said, call, caller.key, runtime.limits);
        return await presentReply(reply, operation, call, runtime.publicUrl);
      };
      return { bytes, body: input.body, work };
    });
  });
}

/** Rate class of a request. An unreadable body is charged too, and refused later. */
async function classOf({ chargedAs, rateClass }: AnyOperation, read: () => Promise<{ body: unknown }>) {
  if (chargedAs === null) return rateClass;
  const input = await read().catch(() => null);
  return input === null ? rateClass : chargedAs(input.body);
}

function refusedToken(): ApiError {
  return new ApiError("forbidden", "Tokens may not do this: sign in to the dashboard.");
}

/** The caller as a member with the operation's scope. Throws 403 if they are not one, or lack it. */
async function admitMember(
  operation: AnyOperation,
  caller: Caller,
  organizationId: number,
  store: HttpRuntime["store"],
) {
  const member = await findMember(caller, organizationId, store);
  const needed = neededScope(operation, caller.kind);
  if (needed !== null) requireScope(member, needed);
  return member;
}

/** True if the call would be admitted now. Throws if that cannot be determined. */
async function wouldAdmit(operation: AnyOperation, call: Call, organizationId: number, runtime: HttpRuntime) {
  try {
    const caller = await authenticate(call, runtime.store, runtime.publicUrl);
    await admitMember(operation, caller, organizationId, runtime.store);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}

/** {@link endpoint} for the operations that need no authentication (`scope` null). */
export function publicEndpoint<O extends AnyOperation>(
  operation: O,
  verb: (context: ServiceContext, input: Input<O>) => unknown,
): Endpoint {
  if (operation.scope !== null) throw new Error(`${operation.id} needs authentication: use endpoint`);
  const readInput = inputReader<O, never>(operation, null);
  return makeEndpoint(operation, async (call, given, runtime, sent) => {
    refuseCrossSite(call, runtime.publicUrl);
    if (operation.takesPassword) await runtime.limits.countFailure(call.address);
    const params = readInput.params(given);
    let reader = "";
    if (operation.rateClass === "share" && "share_token" in params) {
      const share = await runtime.store.shares.findByHash(secrets.hashSecret(String(params.share_token)));
      if (share !== null) {
        reader = readerKey(share.id, call.address);
        Object.assign(sent, await runtime.limits.admitReader(share.id, call.address));
      }
    }
    const { query, body } = await readInput.rest(call);
    const said = await verb(serviceContextOf(call, runtime), { params, query, body });
    const reply = countOpen(said, call, reader, runtime.limits);
    return await presentReply(reply, operation, call, runtime.publicUrl);
  });
}

/** Context of a function of {@link signedEndpoint}: it decides what the signature must be before it reads the body. */
export type SignedInput<O extends AnyOperation> = {
  params: ParamsOf<O>;
  header(name: string): string | null;
  /** The raw body. Throws 413 and 415. */
  readBody(): Promise<Uint8Array>;
  /** The body as JSON. Throws 400. */
  parse(bytes: Uint8Array): unknown;
};

/**
 * {@link publicEndpoint} for operations whose sender is identified by a signature over the raw body, which the function checks.
 */
export function signedEndpoint<O extends AnyOperation>(
  operation: O,
  verb: (context: ServiceContext, input: SignedInput<O>) => unknown,
): Endpoint {
  if (operation.scope !== null) throw new Error(`${operation.id} needs authentication: use endpoint`);
  const readInput = inputReader<O, never>(operation, null);
  return makeEndpoint(operation, async (call, given, runtime) => {
    refuseCrossSite(call, runtime.publicUrl);
    const reply = await verb(serviceContextOf(call, runtime), {
      params: readInput.params(given),
      header: (name) => call.header(name),
      readBody: () => readUnproved(call, operation, runtime),
      parse: parseJson,
    });
    return await presentReply(reply, operation, call, runtime.publicUrl);
  });
}

/** The body of a request whose sender is known only once it has arrived. Throws 429 too, if the address sends too much at once. */
async function readUnproved(call: Call, operation: AnyOperation, { limits }: HttpRuntime): Promise<Uint8Array> {
  const { bodyBytesMax } = operation;
  const length = call.header("content-length");
  const done = limits.holdUnproved(call.address, Math.min(Number(length ?? bodyBytesMax), bodyBytesMax));
  try {
    return await readBody(call, operation);
  } finally {
    done();
  }
}

/** `sent` receives headers for whatever response follows, including a problem. */
type Work = (
  call: Call,
  params: Record<string, string>,
  runtime: HttpRuntime,
  sent: Record<string, string>,
) => Promise<Answer>;

function makeEndpoint(operation: AnyOperation, work: Work): Endpoint {
  const answer = async (call: Call, params: Record<string, string>): Promise<Answer> => {
    const requestId = requestIdOf(call.header("x-request-id"));
    const sent: Record<string, string> = {};
    try {
      const runtime = getRuntime();
      if (operation.deprecated !== null)
        Object.assign(sent, deprecationHeaders(operation.deprecated, runtime.publicUrl));
      try {
        const given = await work(call, params, runtime, sent);
        const links = [given.headers.link, sent.link].filter((link) => link !== undefined).join(", ");
        Object.assign(given.headers, sent, ownOriginHeaders, links === "" ? {} : { link: links });
        given.headers["x-request-id"] = requestId;
        if (operation.bearsSecret) keepSecret(given);
        if (operation.stability !== null) given.headers["x-errand-stability"] = operation.stability;
        return given;
      } catch (thrown) {
        const error = await countFailure(thrown, call, runtime);
        const problem = problemAnswer(visible(error, call, operation, requestId, runtime), call.target, requestId);
        Object.assign(problem.headers, sent);
        if (operation.bearsSecret) keepSecret(problem);
        return problem;
      }
    } catch (cause) {
      return problemAnswer(new ApiError("unavailable", "Errand is starting.", { cause }), call.target, requestId);
    }
  };
  const respond = async (request: Request, context: RouteContext) =>
    toResponse(await answer(callOf(request), (await context.params) ?? {}), request.method);
  return Object.assign(respond, { operation, answer });
}

function keepSecret({ headers }: Answer): void {
  // An event stream also forbids intermediaries to change it.
  headers["cache-control"] = headers["cache-control"]?.startsWith("no-store") ? headers["cache-control"] : "no-store";
  headers["x-robots-tag"] = "noindex, nofollow";
  headers["referrer-policy"] = "no-referrer";
}

/**
 * The error that the caller sees. An error whose cause is not in the request is our own defect or failure: it is logged once,
 * here.
 */
function visible(
  thrown: unknown,
  call: Call,
  operation: AnyOperation,
  requestId: string,
  runtime: HttpRuntime,
): ApiError {
  const error = troubleError(thrown) ?? thrown;
  if (error instanceof ApiError && (error.status < 500 || error.cause === undefined)) return error;
  // The client has disconnected and its work stopped: nobody's failure, and nobody is there to read the response.
  if (error instanceof Error && error.name === "AbortError" && call.signal.aborted)
    return new ApiError("unavailable", "The request was aborted.");
  runtime.logger.error({ err: error, operation: operation.id, requestId }, "a request failed");
  if (error instanceof ApiError) return error;
  return new ApiError("internal", "Something went wrong. Errand's log has details under this request id.");
}
