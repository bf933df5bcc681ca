type Json = Record<string, unknown>;

/** Values of fields by their names, where a schema does not tell a good one. */
const values: Record<string, unknown> = {
  status: "running",
  message_type: "ACTION",
  thought: null,
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_output: { output: "12 tests passed", exit_code: 0 },
  tool_call_id: "toolu_01",
  observation: null,
  prompt: "Fix the failing test",
  result: "The test passes: the date was read in local time.",
  summary: "The test passes: the date was read in local time.",
  web_url: "https://errand.example.com/traces/1",
  url: "https://errand.example.com/share/6vT1pQ",
  agent: "claude",
  model: null,
  full_name: "Grace Hopper",
  user_name: "Grace Hopper",
  email: "grace@example.com",
  repo_full_name: "owner/project",
  base_branch: "main",
  branch: "errand/run-1",
  default_branch: "main",
  source: "/srv/git/project",
  question: null,
  banned_at: null,
  github_pull_requests: [],
  metadata: { ticket: "SHOP-1" },
  role: "member",
  organization_name: "Home",
  page: 1,
  pages: 1,
  size: 100,
  skip: 0,
  total: 1,
  total_logs: 42,
  cost_usd: 0.12,
  input: 1200,
  output: 300,
};

const instant = "2026-01-31T23:59:59.000Z";

/** A value that fits a schema, for the documentation; `schemas` are those under components/schemas. Optional fields are left out. */
export function sampleOf(schema: Json, schemas: Record<string, Json>, name = ""): unknown {
  const reference = typeof schema.$ref === "string" ? schemas[schema.$ref.split("/").at(-1) ?? ""] : undefined;
  if (reference !== undefined) return sampleOf(reference, schemas, name);
  if (schema.const !== undefined) return schema.const;
  const known = Object.hasOwn(values, name) ? values[name] : undefined;
  if (known !== undefined && mayBe(schema, known)) return known;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(schema.anyOf)) {
    const kinds = schema.anyOf as Json[];
    return sampleOf(kinds.find((kind) => kind.type !== "null") ?? {}, schemas, name);
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") return sampleOfObject(schema, schemas);
  if (type === "array") return [sampleOf((schema.items ?? {}) as Json, schemas)];
  if (type === "string") return schema.format === "date-time" ? instant : name || "text";
  if (type === "integer" || type === "number") return typeof schema.minimum === "number" ? schema.minimum : 1;
  return type === "boolean" ? true : null;
}

function sampleOfObject(schema: Json, schemas: Record<string, Json>): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([key]) => required.includes(key))
      .map(([key, property]) => [key, sampleOf(property, schemas, key)]),
  );
}

/** Whether a schema takes values of this kind; a list of choices must hold it, and what has fields of its own is made of them. */
function mayBe(schema: Json, value: unknown): boolean {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.some((kind) => mayBe(kind, value));
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (schema.properties !== undefined) return false;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const kinds = [schema.type].flat();
  return kinds.includes(kind) || (kinds.includes("integer") && Number.isInteger(value));
}
