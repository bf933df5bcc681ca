import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { AnyOperation } from "#lib/contract/operation.ts";
import type { Answered } from "./api-under-test.ts";

type Media = { schema: object };
type Described = { content?: Record<string, Media>; headers?: Record<string, object>; $ref?: string };
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Described> }>>;
  components: { responses: Record<string, Described> };
};

/** Headers that not every response has that may have them. */
const occasional = new Set([
  ...["Idempotency-Replayed", "Set-Cookie", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Errand-Ignored", "Link"],
]);

/** Checks responses against the API's OpenAPI 3.1 description. */
export class DescribedAnswers {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, logger: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = document as Document;
    this.#ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    this.#ajv.addFormat("binary", true);
    this.#ajv.addSchema(document, "openapi");
  }

  /** The first deviation of a response from the description, or null. */
  problemOf({ path, method }: Pick<AnyOperation, "path" | "method">, answered: Answered): string | null {
    const { status, headers, text } = answered;
    const place = ["paths", path, method.toLowerCase(), "responses"];
    const responses = this.#document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const key = String(status) in responses ? String(status) : "default";
    const { response, at } = this.#resolved(responses[key] ?? {}, [...place, key]);
    // Files are written as they are read.
    const hasTag = headers.get("content-disposition") === null && !isUnfinished(text);
    const missing = Object.keys(response.headers ?? {}).find(
      (name) => !occasional.has(name) && !headers.has(name) && (name !== "ETag" || hasTag),
    );
    if (missing !== undefined) return `${status} lacks the header ${missing}`;
    const untold = ["ETag", "Set-Cookie"].find((name) => headers.has(name) && response.headers?.[name] === undefined);
    if (untold !== undefined) return `${status} has a header ${untold} that is not described (tagged, changesSession)`;
    const type = headers.get("content-type")?.split(";")[0];
    if (response.content === undefined) return text === "" ? null : `${status} has a body`;
    if (type === undefined || response.content[type] === undefined) return `${status} is of type ${type}`;
    if (!type.endsWith("json") || type === "application/jsonl") return null;
    const validate = this.#validator([...at, "content", type, "schema"]);
    return validate(JSON.parse(text)) ? null : `${status}: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #resolved(response: Described, at: string[]): { response: Described; at: string[] } {
    const name = response.$ref?.split("/").at(-1);
    if (name === undefined) return { response, at };
    return { response: this.#document.components.responses[name] ?? {}, at: ["components", "responses", name] };
  }

  #validator(at: string[]): ValidateFunction {
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const known = this.#compiled.get(pointer);
    if (known !== undefined) return known;
    const made = this.#ajv.compile({ $ref: `openapi#/${pointer}` });
    this.#compiled.set(pointer, made);
    return made;
  }
}

/** Whether this is an analysis of fewer entries than the run has, which has no ETag. A busy machine gives one of any run. */
function isUnfinished(text: string): boolean {
  if (!text.includes('"analysed":')) return false;
  const { analysed, entries } = JSON.parse(text) as { analysed?: number; entries?: number };
  return Number(analysed) < Number(entries);
}
