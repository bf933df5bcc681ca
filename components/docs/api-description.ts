import { type ErrorCode, errorTable } from "#lib/contract/error.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import type { RunLimits } from "#lib/contract/runs/run-limits.ts";
import { type ClassLimits, limitWords } from "./limit-words.ts";
import { otherAnswers } from "./other-answers.ts";
import { type Field, listFields, type Schema, type TypeWords, typeWords } from "./schema-fields.ts";

/** One operation, ready to be shown. */
export type OperationWords = {
  operation: AnyOperation;
  pathFields: Field[];
  queryFields: Field[];
  headerFields: Field[];
  /** Null if the operation takes no body. */
  body: { fields: Field[]; sample: string | null } | null;
  /** `sample` is an example of a response, null if there is none to show. */
  result: {
    type: TypeWords;
    fields: Field[];
    sample: string | null;
    /** The operation on the same page that has the same sample, which stands only there; null if this one has it. */
    sampleOf: string | null;
  };
  /** A token's configured limits; null if unlimited. */
  limit: string | null;
  errors: ErrorCode[];
};

/** A type's fields. If it has all those of another type of the page, `base` names that one and `fields` has only the others. */
export type TypeFields = { name: string; base: string | null; fields: Field[] };

/** Operations of one tag and the types they use, directly or through another type. */
export type TagWords = { tag: string; slug: string; about: string; operations: OperationWords[]; types: TypeFields[] };

/** Description of the API, in reading order. */
export type ApiWords = { tags: TagWords[]; limits: ClassLimits[]; sessionFactor: number; runLimits: RunLimits };

type Media = { schema: Schema; example?: unknown };
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema };
type Described = {
  parameters: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  tags: { name: string; description: string }[];
  components: { schemas: Record<string, Schema> };
  "x-rate-limits": { classes: ClassLimits[]; session_factor: number };
  "x-run-limits": { queued: number; at_once: number; turn_seconds: number; question_seconds: number };
};

/**
 * Prepares the OpenAPI description for display: that of this installation (`GET /v1/openapi.json`), from which clients are
 * generated. Throws if it lacks an operation.
 */
export function describeApi(openapi: unknown): ApiWords {
  // buildOpenapi writes this shape; api-description.test.ts compares the two.
  const document = openapi as Document;
  const { classes, session_factor } = document["x-rate-limits"];
  const words = operations.map((operation) => describeOperation(operation, document));
  const types = new Map(
    Object.entries(document.components.schemas).map(([name, schema]) => [name, listFields(schema)]),
  );
  const tags = [...Map.groupBy(words, ({ operation }) => operation.tag)].map(([tag, members]) => ({
    tag,
    slug: slugOf(tag),
    about: document.tags.find(({ name }) => name === tag)?.description ?? "",
    operations: withOneSample(members),
    types: typesNamedBy(members, types),
  }));
  const { queued, at_once: atOnce, turn_seconds, question_seconds } = document["x-run-limits"];
  const runLimits = { queued, atOnce, turnSeconds: turn_seconds, questionSeconds: question_seconds };
  return { tags, limits: classes, sessionFactor: session_factor, runLimits };
}

/** Shorter samples are repeated. */
const sampleMin = 300;

/** Operations of a page; of those with the same long sample only the first has it. */
function withOneSample(members: OperationWords[]): OperationWords[] {
  const first = new Map<string, string>();
  return members.map((words) => {
    const { result, operation } = words;
    if (result.sample === null || result.sample.length < sampleMin) return words;
    const sampleOf = first.get(result.sample);
    first.set(result.sample, sampleOf ?? operation.id);
    return sampleOf === undefined ? words : { ...words, result: { ...result, sample: null, sampleOf } };
  });
}

/** A tag as in the address of its page: `agent-runs`. */
export function slugOf(tag: string): string {
  return tag.toLowerCase().replace(/\W+/g, "-");
}

/** Page and anchor of an operation's description. */
export function operationHref({ id, tag }: Pick<AnyOperation, "id" | "tag">): string {
  return `/docs/reference/${slugOf(tag)}#${id}`;
}

function describeOperation(operation: AnyOperation, document: Document): OperationWords {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (described === undefined) throw new Error(`${operation.id} is not in the description.`);
  const { schemas } = document.components;
  const fieldsIn = (place: string) =>
    described.parameters.filter((parameter) => parameter.in === place).flatMap(fieldsOfParameter);
  const body = described.requestBody?.content["application/json"];
  const media = described.responses["200"]?.content?.[operation.resultType];
  const schema = media?.schema ?? {};
  const type = typeWords(schema);
  return {
    operation,
    pathFields: fieldsIn("path"),
    queryFields: fieldsIn("query"),
    headerFields: fieldsIn("header"),
    body: body === undefined ? null : { fields: fieldsOfBody(body.schema, schemas), sample: sampleOf(body) },
    result: {
      type,
      fields: listFields(schema),
      sample: otherAnswers[operation.resultType] ?? (media === undefined ? null : sampleOf(media)),
      sampleOf: null,
    },
    limit: limitWords(operation.rateClass, document["x-rate-limits"].classes),
    errors: errorsIn(described),
  };
}

function fieldsOfParameter({ name, required, description, schema }: Parameter): Field[] {
  const property = description === undefined ? schema : { ...schema, description };
  return listFields({ properties: { [name]: property }, required: required ? [name] : [] });
}

function fieldsOfBody(schema: Schema, schemas: Record<string, Schema>): Field[] {
  const name = typeWords(schema).link;
  return listFields((name !== null && schemas[name]) || schema);
}

function sampleOf({ example }: Media): string | null {
  return example === undefined ? null : JSON.stringify(example, null, 2);
}

const PROBLEM = "#/components/responses/";

function errorsIn({ responses }: Described): ErrorCode[] {
  return Object.values(responses).flatMap(({ $ref }) => {
    const code = $ref?.startsWith(PROBLEM) ? $ref.slice(PROBLEM.length) : "";
    return isErrorCode(code) ? [code] : [];
  });
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code);
}

/** Types used by fields, and by their fields in turn, in order of first use. */
function typesNamedBy(members: OperationWords[], types: Map<string, Field[]>): TypeFields[] {
  const found = new Map<string, Field[]>();
  const follow = (link: string | null) => {
    const fields = link === null || found.has(link) ? undefined : types.get(link);
    if (link === null || fields === undefined) return;
    found.set(link, fields);
    for (const { type } of fields) follow(type.link);
  };
  for (const { result, body } of members) {
    follow(result.type.link);
    for (const { type } of [...result.fields, ...(body?.fields ?? [])]) follow(type.link);
  }
  return [...found].map(([name, fields]) => {
    const base = [...found].find((other) => extendsType(fields, other[1]));
    if (base === undefined) return { name, base: null, fields };
    const known = new Set(base[1].map((field) => field.name));
    return { name, base: base[0], fields: fields.filter((field) => !known.has(field.name)) };
  });
}

const baseFieldsMin = 20;

/** Whether the fields are those of another type, in the same words, and more. */
function extendsType(fields: Field[], base: Field[]): boolean {
  const words = new Map(fields.map(({ name, description }) => [name, description]));
  if (base.length < baseFieldsMin || base.length >= fields.length) return false;
  return base.every(({ name, description }) => words.get(name) === description);
}
