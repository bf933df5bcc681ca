import { buildOpenapi } from "#lib/contract/openapi.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { operations } from "#lib/contract/operations.ts";
import { type Field, listFields, type Schema, type TypeWords, typeWords } from "./schema-fields.ts";

/** One operation, ready to be shown. */
export type OperationWords = {
  operation: AnyOperation;
  pathFields: Field[];
  queryFields: Field[];
  /** Null where the operation takes no body. `name` is the type's name where it has one. */
  body: { name: string | null; fields: Field[] } | null;
  result: { type: TypeWords; fields: Field[] };
};

/** The description of the API in the order it is read: the operations by their tag, and the types that they name. */
export type ApiWords = {
  tags: { tag: string; operations: OperationWords[] }[];
  types: { name: string; fields: Field[] }[];
};

type Media = { schema: Schema };
type Described = {
  parameters: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
};
type Document = { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, Schema> } };

/** Puts the OpenAPI description, from which clients are made, into words. */
export function describeApi(): ApiWords {
  // buildOpenapi writes this shape; api-description.test.ts holds the two against each other.
  const document = buildOpenapi() as Document;
  const { schemas } = document.components;
  const words = operations.map((operation) => describeOperation(operation, document, schemas));
  const tags = Map.groupBy(words, ({ operation }) => operation.tag);
  return {
    tags: [...tags].map(([tag, members]) => ({ tag, operations: members })),
    types: Object.entries(schemas).map(([name, schema]) => ({ name, fields: listFields(schema) })),
  };
}

function describeOperation(
  operation: AnyOperation,
  document: Document,
  schemas: Record<string, Schema>,
): OperationWords {
  const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
  if (described === undefined) throw new Error(`${operation.id} is not in the description.`);
  const fieldsIn = (place: string) =>
    described.parameters
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, required, description, schema }) =>
        listFields({
          properties: { [name]: description === undefined ? schema : { ...schema, description } },
          required: required ? [name] : [],
        }),
      );
  const bodySchema = described.requestBody?.content["application/json"]?.schema;
  const resultSchema = described.responses["200"]?.content?.[operation.resultType]?.schema ?? {};
  return {
    operation,
    pathFields: fieldsIn("path"),
    queryFields: fieldsIn("query"),
    body: bodySchema === undefined ? null : describeBody(bodySchema, schemas),
    result: { type: typeWords(resultSchema), fields: listFields(resultSchema) },
  };
}

function describeBody(schema: Schema, schemas: Record<string, Schema>): { name: string | null; fields: Field[] } {
  const name = typeWords(schema).link;
  return { name, fields: listFields((name !== null && schemas[name]) || schema) };
}
