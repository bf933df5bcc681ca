import { z } from "zod";
import { OrganizationAgent } from "./agent.ts";
import { Changes } from "./changes.ts";
import { LogEntry } from "./entry.ts";
import { FieldError, Problem } from "./error.ts";
import { Appended, AppendLogs, IngestEntry, UpdateRun } from "./ingest.ts";
import { IntegrationStatus, OrganizationIntegrations } from "./integration.ts";
import { CreatedInvitation, CreateInvitation, Invitation, OpenInvitation } from "./invitation.ts";
import { Organization, User } from "./organization.ts";
import { Outline } from "./outline.ts";
import { Session, UpdateMe } from "./profile.ts";
import { PullRequest } from "./pull-request.ts";
import { OpenQuestion } from "./question.ts";
import { CreateRepository, Repository } from "./repository.ts";
import { AnswerQuestion, CreateRun, EditTurn, ResumeRun, Run, StartedRun, Tokens } from "./run.ts";
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

/** Schemas under components/schemas; every other schema is written where it is used. */
const named: Record<string, z.core.$ZodType> = {
  Agent: OrganizationAgent,
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
  PullRequest,
  Question: OpenQuestion,
  QueuedTurn,
  Repository,
  ResumeRun,
  Run,
  RunWithLogs,
  Session,
  Share,
  SharePreview,
  SharedRun,
  StartedRun,
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

/** components/schemas. */
export function describeNamed(): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => [name, toSchema(schema, isInput(name) ? "input" : "output")]),
  );
}

function isInput(name: string): boolean {
  return /^(?:Create(?!d)|Edit|Resume|Answer|AppendLogs|Ingest|Update|WebhookOverride)|Request$/.test(name);
}

/** Reference to a schema under components/schemas; null for any other. */
export function reference(schema: z.core.$ZodType): Json | null {
  const name = Object.keys(named).find((key) => named[key] === schema);
  return name === undefined ? null : { $ref: prefix + name };
}

/** Name of a schema under components/schemas, even if a field gives it its own description. */
function nameOf(schema: z.core.$ZodType): string | undefined {
  const isIt = (other: z.core.$ZodType | undefined) => other === schema || other === schema._zod.parent;
  return Object.keys(named).find((key) => isIt(named[key]));
}

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 accepts; named schemas inside it become references. */
export function toSchema(schema: z.core.$ZodType, io: "input" | "output"): Json {
  const { $schema, ...written } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (isFlag(zodSchema)) {
        for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
        jsonSchema.type = "boolean";
      }
      const known = zodSchema === schema ? undefined : nameOf(zodSchema);
      if (known === undefined) return tidy(jsonSchema, io);
      const { description } = jsonSchema;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      if (description !== undefined) jsonSchema.description = description;
      jsonSchema.$ref = prefix + known;
    },
  });
  return written;
}

/** Removes what is of no use to a reader. Responses may gain fields, so a client must not refuse unknown ones. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.format === "date-time") delete schema.pattern;
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** Text parsed as a boolean, as in queries: a client sends a boolean, which is written as text. */
function isFlag(schema: z.core.$ZodType): boolean {
  const { type, in: from, out } = schema._zod.def as { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType };
  return type === "pipe" && from?._zod.def.type === "string" && out?._zod.def.type === "boolean";
}
