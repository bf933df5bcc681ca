// The reference service's own description, if it is beside this checkout. operations.test.ts proves the same without it.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { after, before, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { wideRates } from "#lib/web/api-under-test.ts";
import { type ReferenceRequest, referenceOperations } from "./operations.fixture.ts";
import { type Client, O, ReferenceService, type Reply, refused } from "./reference-service.fixture.ts";

type Content = { content?: Record<string, { schema: object }> };
type Described = { parameters?: object[]; requestBody?: Content; responses: Record<string, Content> };
type Document = { paths: Record<string, Record<string, Described>> };

const document = readDescription();
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true } });
if (document !== null) ajv.addSchema(document, "reference");

let service: ReferenceService;
let client: Client;
before(async () => {
  service = await ReferenceService.open();
  client = await service.signedIn();
});
after(() => service.close());

const absent = "no description of the reference service beside this checkout (../shared/reference)";

test("the 30 operations are those of the description", (t) => {
  if (document === null) return t.skip(absent);
  const theirs = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(referenceOperations.map(({ method, path }) => `${method} ${path}`).sort(), theirs.sort());
});

for (const { method, path, request } of referenceOperations) {
  test(`${method} ${path} responds in the reference's schema, or with an error in its shape`, async (t) => {
    if (document === null) return t.skip(absent);
    const asked = await request(service);
    checkRequest(asked);
    checkAnswer(await client(method, asked.path, asked.body), asked.refusal ?? 200);
    const { responses } = describedOf(document);
    // users/me belongs to no organization: nobody with a token is refused there.
    if ("403" in responses && path.includes("{org_id}"))
      checkAnswer(await client(method, elsewhere(asked.path), asked.body), 403);
    if ("404" in responses) checkAnswer(await nobodys(asked), 404);
    if ("429" in responses) {
      service.limit({ ...wideRates, quotas: { ...wideRates.quotas, standard: 1 } });
      const impatient = await service.signedIn();
      await impatient("GET", "/v1/users/me");
      const denied = await impatient(method, asked.path, asked.body);
      service.limit(wideRates);
      checkAnswer(denied, 429);
    }
  });

  const describedOf = ({ paths }: Document) => {
    const found = paths[path]?.[method.toLowerCase()];
    assert.ok(found !== undefined, "it is not described");
    return found;
  };

  /** Checks that the requests sent here are ones that the reference's clients may send. */
  function checkRequest({ body }: ReferenceRequest): void {
    assert.ok(document !== null);
    const isTaken = describedOf(document).requestBody !== undefined;
    assert.equal(body !== undefined, isTaken);
    if (isTaken) check(["requestBody"], body);
  }

  function checkAnswer(reply: Reply, status: number): void {
    assert.ok(document !== null);
    const { responses } = describedOf(document);
    if (status !== 200) refused(reply, status);
    else assert.equal(reply.status, 200, reply.text.slice(0, 500));
    if (responses[status]?.content !== undefined) check(["responses", String(status)], reply.body);
  }

  function check(at: string[], value: unknown): void {
    const place = ["paths", path, method.toLowerCase(), ...at, "content", "application/json", "schema"];
    const pointer = place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/");
    const validate = ajv.compile({ $ref: `reference#/${pointer}` });
    assert.ok(
      validate(value),
      `${at.join(" ")}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value).slice(0, 500)}`,
    );
  }

  const elsewhere = (target: string) =>
    target.replace(O, "/v1/organizations/2").replace("organizations/1/", "organizations/2/");

  /** The same request for a run, repository, person or sandbox that does not exist. */
  function nobodys({ path: target, body }: ReferenceRequest): Promise<Reply> {
    const gone = target.replace(/\/(run|users|sandbox)\/\d+/, "/$1/999999");
    const fields = Object(body);
    const ids = ["agent_run_id", "repo_id"].filter((name) => name in fields);
    const changed = ids.length === 0 ? body : { ...fields, ...Object.fromEntries(ids.map((name) => [name, 999_999])) };
    return client(method, gone, changed);
  }
}

function readDescription(): Document | null {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = resolve(folder, "shared/reference/openapi.json");
    if (existsSync(found)) return JSON.parse(readFileSync(found, "utf8"));
    if (dirname(folder) === folder) return null;
  }
}
