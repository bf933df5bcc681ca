import type { z } from "zod";
import { compatibilityPromise } from "#lib/contract/compatibility.ts";
import { type ErrorCode, errorTable, Problem } from "#lib/contract/error.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations as allOperations } from "#lib/contract/operations.ts";
import { type RateSettings, rateSettingsDefault, rateWords } from "#lib/contract/rate-limits.ts";
import { runActs } from "#lib/contract/runs/run-acts.ts";
import { type RunLimits, runLimitsDefault } from "#lib/contract/runs/run-limits.ts";
import { errorsOf, takesBody } from "./openapi-errors.ts";
import { answerHeaders, describeHeaders, isKeepable, problemHeaders, validatorHeaders } from "./openapi-headers.ts";
import { describeRates } from "./openapi-rates.ts";
import { examplesOf, sampleOf } from "./openapi-samples.ts";
import { toResponseSchema, toSchema } from "./openapi-schemas.ts";
import { tagDescriptions } from "./openapi-tags.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";

type Json = Record<string, unknown>;
/** Those under components/schemas. */
type Schemas = Record<string, Json>;

/**
 * The API as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1): with the configured limits, and all operations unless some are
 * given.
 */
export function buildOpenapi(
  rates: RateSettings = rateSettingsDefault,
  runs: RunLimits = runLimitsDefault,
  operations: readonly AnyOperation[] = allOperations,
  address = "/",
): Json {
  const paths: Record<string, Json> = {};
  const schemas: Schemas = {};
  toSchema(Problem, "output", schemas);
  for (const operation of operations) {
    [operation.path, ...operation.aliases].forEach((path, index) => {
      const item = paths[path] ?? {};
      item[operation.method.toLowerCase()] = describeOperation(operation, path, index, { rates, schemas });
      paths[path] = item;
    });
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Errand",
      version: "1",
      description: [
        "Sends coding agents on errands in your repositories and shows every step they take.",
        "A parameter, or a field of a body, that its operation does not know gives a 400 that names it. Where an operation says so, they are ignored from tokens with `status_style: reference`.",
        ...compatibilityPromise,
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: address, description: "The installation that this description comes from" }],
    "x-rate-limits": describeRates(rates),
    "x-run-limits": {
      queued: runs.queued,
      at_once: runs.atOnce,
      turn_seconds: runs.turnSeconds,
      question_seconds: runs.questionSeconds,
    },
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas,
      responses: describeProblems(operations),
      headers: describeHeaders(operations),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token: errand_…" },
        session: { type: "apiKey", in: "cookie", name: "errand_session", description: "The dashboard's session" },
      },
    },
  };
}

type Surroundings = { rates: RateSettings; schemas: Schemas };

function describeOperation(operation: AnyOperation, path: string, alias: number, more: Surroundings): Json {
  const { rates, schemas } = more;
  const limit = rateWords(operation.rateClass, rates);
  const words = [
    operation.description,
    scopeLine(operation),
    actLine(operation),
    ignoredLine(operation),
    referenceLine(operation),
    deprecationLine(operation),
    limit === null ? "" : `Rate limit: ${limit}.`,
  ];
  const description = words.filter((part) => part !== "").join("\n\n");
  return {
    operationId: alias === 0 ? operation.id : aliasName(operation.id, path),
    summary: operation.summary,
    ...(description === "" ? {} : { description }),
    tags: [operation.tag],
    security:
      operation.scope === null ? [] : operation.sessionOnly ? [{ session: [] }] : [{ token: [] }, { session: [] }],
    ...(operation.stability === null ? {} : { "x-stability": operation.stability }),
    ...(operation.deprecated === null ? {} : { deprecated: true }),
    parameters: [
      ...pathParameters(operation, path, schemas),
      ...queryParameters(operation, schemas),
      ...headerParameters(operation),
    ],
    ...describeBody(operation, schemas),
    responses: describeResponses(operation, schemas),
  };
}

function scopeLine({ scope, tokenScope, sessionOnly }: AnyOperation): string {
  if (scope === null) return "";
  if (sessionOnly) return "Any session may do this; tokens are refused.";
  const session = scope === "any" ? "Any session may do this" : `A session needs the scope \`${scope}\``;
  if (tokenScope !== null) return `${session}; a token needs the scope \`${tokenScope}\`.`;
  return scope === "any" ? "Any token or session may do this." : `Needs the scope \`${scope}\`.`;
}

/** Role needed for somebody else's run, unless it is the same as for one's own. */
function actLine({ act }: AnyOperation): string {
  if (act === null || runActs[act].own === runActs[act].others) return "";
  return `For someone else's run it needs the role \`${runActs[act].others}\`.`;
}

function ignoredLine({ ignoredFields }: AnyOperation): string {
  if (ignoredFields.length === 0) return "";
  const names = ignoredFields.map((name) => `\`${name}\``).join(", ");
  return `Accepted and ignored, for clients of the reference service: ${names}.`;
}

/** Generators make it the name of a method. */
function aliasName(id: string, path: string): string {
  const stage = /^\/v1\/(alpha|beta)\//.exec(path)?.[1] ?? "alias";
  return `${id}${stage.charAt(0).toUpperCase()}${stage.slice(1)}`;
}

function referenceLine({ isReference }: AnyOperation): string {
  return isReference
    ? "From a token with `status_style: reference`, unknown parameters and fields are ignored; `X-Errand-Ignored` names them."
    : "";
}

function deprecationLine({ deprecated }: AnyOperation): string {
  if (deprecated === null) return "";
  const { since, sunset, link } = deprecated;
  return `Deprecated since ${since}. It may stop working on ${sunset}: see ${link}.`;
}

function pathParameters(operation: AnyOperation, path: string, schemas: Schemas): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const schema = operation.params.shape[name];
    if (schema === undefined) throw new Error(`${operation.id}: the path has ${name}, its parameters do not`);
    const { description, ...rest } = toSchema(schema, "output", schemas);
    return { name, in: "path", required: true, description, schema: rest };
  });
}

function queryParameters(operation: AnyOperation, schemas: Schemas): Json[] {
  const { properties = {}, required = [] } = toSchema(operation.query, "input", schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const examples = examplesOf(operation.query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    const standard = defaultOf(operation.query.shape[name]);
    const example = examples[name];
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: standard === undefined ? schema : { ...schema, default: standard },
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** Default of an absent parameter; zod leaves it out for those parsed from text. */
function defaultOf(schema: z.core.$ZodType | undefined): unknown {
  const def = schema?._zod.def as { type: string; defaultValue?: unknown } | undefined;
  const inMeta = (schema as z.ZodType | undefined)?.meta()?.default;
  return def?.type === "default" ? def.defaultValue : inMeta;
}

function headerParameters(operation: AnyOperation): Json[] {
  const parameters: [string, string, Json][] = [];
  if (operation.idempotent !== null) {
    const words =
      operation.idempotent === "once"
        ? "Takes effect once per key within 24 hours: a repetition gets the same response, with `Idempotency-Replayed: true`"
        : "Not needed: repeating this request has no further effect, with or without a key";
    parameters.push(["Idempotency-Key", words, { type: "string", minLength: 1, maxLength: 255 }]);
  }
  if (operation.ifMatch) {
    const words = "The ETag of what the client has read, with or without W/: 412 if it has changed since";
    parameters.push(["If-Match", words, { type: "string" }]);
  }
  if (operation.resultType === "text/event-stream") {
    const words = "The id of the last event that arrived: the stream continues after it";
    parameters.push(["Last-Event-ID", words, { type: "string" }]);
  }
  if (isKeepable(operation)) {
    const words = "The ETag of the client's copy: 304 if it is still current";
    parameters.push(["If-None-Match", words, { type: "string" }]);
  }
  return parameters.map(([name, description, schema]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema,
  }));
}

function describeBody(operation: AnyOperation, schemas: Schemas): Json {
  if (!takesBody(operation)) return {};
  const schema = toSchema(operation.body, "input", schemas);
  const required = !operation.body.safeParse(undefined).success;
  const example = sampleOf(operation.body, "input");
  const others = operation.otherBodies.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  return {
    requestBody: {
      required,
      content: {
        "application/json": { schema, example },
        ...Object.fromEntries(others),
      },
    },
  };
}

function describeResponses(operation: AnyOperation, schemas: Schemas): Json {
  const problems = errorsOf(operation).map((code): [string, Json] => [
    String(errorTable[code].status),
    { $ref: `#/components/responses/${code}` },
  ]);
  const schema =
    operation.resultType === "application/json"
      ? toResponseSchema(operation, schemas)
      : { type: "string", ...events(operation, schemas) };
  const example = operation.resultType === "application/json" ? { example: sampleOf(operation.result, "output") } : {};
  const others = operation.otherTypes.map((type): [string, Json] => [type, { schema: { type: "string" } }]);
  const content = { [operation.resultType]: { schema, ...example }, ...Object.fromEntries(others) };
  const success = { description: operation.summary, headers: answerHeaders(operation), content };
  const accepted = operation.mayAccept
    ? { "202": { description: "Stored; it will be processed soon", headers: answerHeaders(operation), content } }
    : {};
  const unchanged = isKeepable(operation)
    ? { "304": { description: "Not changed since the ETag in If-None-Match", headers: validatorHeaders(operation) } }
    : {};
  const over =
    operation.resultType === "text/event-stream"
      ? {
          "204": {
            description: "Last-Event-ID is the id of the event `end`, and the run has not gone on since",
            headers: answerHeaders(operation),
          },
        }
      : {};
  return {
    "200": success,
    ...accepted,
    ...over,
    ...unchanged,
    ...Object.fromEntries(problems.sort(([one], [other]) => one.localeCompare(other))),
    default: { $ref: "#/components/responses/problem" },
  };
}

/** `x-events`: the JSON in the `data` of each event, which OpenAPI 3.1 cannot describe. */
function events({ events }: AnyOperation, schemas: Schemas): Json {
  if (events === null) return {};
  const described = Object.entries(events).map(([name, data]) => [name, toSchema(data, "output", schemas)]);
  return { "x-events": Object.fromEntries(described) };
}

/** Problems that operations name, and the one that any request may get (421, 500, 503, 507). */
function describeProblems(operations: readonly AnyOperation[]): Json {
  const content = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
  const documented = new Set<ErrorCode>(operations.flatMap(errorsOf));
  const problems = [...documented].map((code): [string, Json] => [
    code,
    { description: errorTable[code].title, headers: problemHeaders(code), content },
  ]);
  const description = "Any other problem: an unknown host (421), or a failure of Errand (500, 503, 507)";
  return { ...Object.fromEntries(problems), problem: { description, headers: problemHeaders(null), content } };
}
