import { z } from "zod";
import { Agent } from "./agent.ts";
import { compatibilityPromise } from "./compatibility.ts";
import { LogEntry } from "./entry.ts";
import { errorTable, FieldError, Problem } from "./error.ts";
import { Appended, AppendLogs, IngestEntry, UpdateRun } from "./ingest.ts";
import { IntegrationStatus, OrganizationIntegrations } from "./integration.ts";
import { CreatedInvitation, CreateInvitation, Invitation, OpenInvitation } from "./invitation.ts";
import { errorsOf, takesBody } from "./openapi-errors.ts";
import { admittedHeaders, describeRates, rateHeaders, refusalHeaders } from "./openapi-rates.ts";
import type { AnyOperation } from "./operation.ts";
import { operations } from "./operations.ts";
import { Organization, User } from "./organization.ts";
import { Outline } from "./outline.ts";
import { Session, UpdateMe } from "./profile.ts";
import { type RateSettings, rateSettingsDefault, rateWords } from "./rate-limits.ts";
import { CreateRepository, Repository } from "./repository.ts";
import { AnswerQuestion, Changes, CreateRun, EditTurn, Question, ResumeRun, Run, Tokens } from "./run.ts";
import { runActs } from "./run-acts.ts";
import { RunWithLogs } from "./run-operations.ts";
import { QueuedTurn } from "./run-queue.ts";
import { CreatedShare, CreateShare, Share, SharePreview } from "./share.ts";
import { SharedRun } from "./shared-run.ts";
import { CreateToken, Token } from "./token.ts";
import {
  RunWebhook,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookDelivery,
  WebhookOverride,
  WebhookTestRequest,
  WebhookTestResult,
} from "./webhook.ts";

type Json = Record<string, unknown>;

/** What stands under components/schemas; every other schema is written where it is used. */
const named: Record<string, z.core.$ZodType> = {
  Agent,
  AnswerQuestion,
  AppendLogs,
  Appended,
  Changes,
  CreatedInvitation,
  CreateInvitation,
  CreateRepository,
  CreateRun,
  CreateShare,
  CreatedShare,
  CreateToken,
  EditTurn,
  FieldError,
  IngestEntry,
  IntegrationStatus,
  Invitation,
  LogEntry,
  OpenInvitation,
  Organization,
  OrganizationIntegrations,
  Outline,
  Problem,
  Question,
  QueuedTurn,
  Repository,
  ResumeRun,
  Run,
  RunWithLogs,
  Session,
  Share,
  SharePreview,
  SharedRun,
  Token,
  TokenUsage: Tokens,
  UpdateMe,
  UpdateRun,
  User,
  RunWebhook,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookDelivery,
  WebhookOverride,
  WebhookTestRequest,
  WebhookTestResult,
};

const prefix = "#/components/schemas/";

/** The whole API as OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1), from the operations and the configured limits. */
export function buildOpenapi(rates: RateSettings = rateSettingsDefault): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    [operation.path, ...operation.aliases].forEach((path, index) => {
      const item = paths[path] ?? {};
      item[operation.method.toLowerCase()] = describeOperation(operation, path, index, rates);
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
        ...compatibilityPromise,
      ].join("\n\n"),
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    "x-rate-limits": describeRates(rates),
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: describeNamed(),
      responses: describeProblems(),
      headers: rateHeaders,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token: errand_…" },
        session: { type: "apiKey", in: "cookie", name: "errand_session", description: "The dashboard's session" },
      },
    },
  };
}

function describeOperation(operation: AnyOperation, path: string, alias: number, rates: RateSettings): Json {
  const limit = rateWords(operation.rateClass, rates);
  const words = [
    operation.description,
    scopeLine(operation),
    actLine(operation),
    limit === null ? "" : `Rate limit: ${limit}.`,
  ];
  const description = words.filter((part) => part !== "").join("\n\n");
  return {
    operationId: alias === 0 ? operation.id : `${operation.id}Alias${alias}`,
    summary: operation.summary,
    ...(description === "" ? {} : { description }),
    tags: [operation.tag],
    security:
      operation.scope === null ? [] : operation.sessionOnly ? [{ session: [] }] : [{ token: [] }, { session: [] }],
    ...(operation.stability === null ? {} : { "x-stability": operation.stability }),
    parameters: [...pathParameters(operation, path), ...queryParameters(operation), ...headerParameters(operation)],
    ...describeBody(operation),
    responses: describeResponses(operation),
  };
}

function scopeLine({ scope, tokenScope, sessionOnly }: AnyOperation): string {
  if (scope === null) return "";
  if (sessionOnly) return "Any session may ask; tokens are refused.";
  const session = scope === "any" ? "Any session may ask" : `A session needs the scope \`${scope}\``;
  if (tokenScope !== null) return `${session}; a token needs the scope \`${tokenScope}\`.`;
  return scope === "any" ? "Any token or session may ask." : `Needs the scope \`${scope}\`.`;
}

/** Who may do it with a run of somebody else's, where that is not everybody who may do it with their own. */
function actLine({ act }: AnyOperation): string {
  if (act === null || runActs[act].own === runActs[act].others) return "";
  return `With a run that is somebody else's it needs the role \`${runActs[act].others}\`.`;
}

function pathParameters(operation: AnyOperation, path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const schema = operation.params.shape[name];
    if (schema === undefined) throw new Error(`${operation.id}: the path has ${name}, its parameters do not`);
    return { name, in: "path", required: true, schema: toSchema(schema, "output") };
  });
}

function queryParameters(operation: AnyOperation): Json[] {
  const { properties = {}, required = [] } = toSchema(operation.query, "input") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headerParameters(operation: AnyOperation): Json[] {
  if (!operation.idempotent) return [];
  const description =
    "One effect a key for 24 hours: a repetition is given the same answer with `Idempotency-Replayed: true`";
  const schema = { type: "string", minLength: 1, maxLength: 255 };
  return [{ name: "Idempotency-Key", in: "header", required: false, description, schema }];
}

function describeBody(operation: AnyOperation): Json {
  if (!takesBody(operation)) return {};
  const schema = reference(operation.body) ?? toSchema(operation.body, "input");
  const required = !operation.body.safeParse(undefined).success;
  const others = operation.otherBodies.map((type) => [type, { schema: { type: "string", format: "binary" } }]);
  return { requestBody: { required, content: { "application/json": { schema }, ...Object.fromEntries(others) } } };
}

function describeResponses(operation: AnyOperation): Json {
  const problems = errorsOf(operation).map((code): [string, Json] => [
    String(errorTable[code].status),
    { $ref: `#/components/responses/${code}` },
  ]);
  const schema =
    operation.resultType === "application/json"
      ? (reference(operation.result) ?? toSchema(operation.result, "output"))
      : { type: "string" };
  const others = operation.otherTypes.map((type): [string, Json] => [type, { schema: { type: "string" } }]);
  const content = { [operation.resultType]: { schema }, ...Object.fromEntries(others) };
  const headers = operation.rateClass === "none" ? {} : { headers: admittedHeaders };
  const success = { description: operation.summary, ...headers, content };
  const accepted = operation.mayAccept ? { "202": { description: "Kept, and worked on soon", content } } : {};
  return {
    "200": success,
    ...accepted,
    ...Object.fromEntries(problems.sort(([one], [other]) => one.localeCompare(other))),
  };
}

function describeProblems(): Json {
  const content = { "application/problem+json": { schema: { $ref: `${prefix}Problem` } } };
  const requestId = { description: "The request's id, to be found in the log", schema: { type: "string" } };
  return Object.fromEntries(
    Object.entries(errorTable).map(([code, { title }]) => [
      code,
      { description: title, headers: { "X-Request-Id": requestId, ...refusalHeaders(code) }, content },
    ]),
  );
}

function describeNamed(): Json {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, toSchema(schema, isInput(name) ? "input" : "output")]),
  );
}

function isInput(name: string): boolean {
  return /^(?:Create|Edit|Resume|Answer|AppendLogs|Ingest|Update)/.test(name);
}

function reference(schema: z.core.$ZodType): Json | null {
  const name = Object.keys(named).find((key) => named[key] === schema);
  return name === undefined ? null : { $ref: prefix + name };
}

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is; named schemas inside it become references. */
function toSchema(schema: z.core.$ZodType, io: "input" | "output"): Json {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const known = zodSchema === schema ? undefined : Object.keys(named).find((key) => named[key] === zodSchema);
      if (known === undefined) return tidy(jsonSchema, io);
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      jsonSchema.$ref = prefix + known;
    },
  });
  return written;
}

/** Leaves out what tells a reader nothing. Answers may gain fields, so a client must not refuse those it does not know. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time") delete schema.pattern;
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}
