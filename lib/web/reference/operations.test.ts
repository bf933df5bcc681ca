import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildOpenapi } from "#lib/contract/openapi/openapi.ts";
import { appDir } from "#lib/web/api-under-test.ts";
import { findDestination } from "#lib/web/find-route.ts";
import { readRouteTree } from "#lib/web/route-tree.ts";
import { referenceOperations } from "./operations.fixture.ts";
import { type Client, needs, O, ReferenceService, refused } from "./reference-service.fixture.ts";

let service: ReferenceService;
let client: Client;
before(async () => {
  service = await ReferenceService.open();
  client = await service.signedIn();
});
after(() => service.close());

const described = buildOpenapi() as { paths: Record<string, Record<string, { responses: Record<string, object> }>> };
/** The path with a number in place of each name. */
const somewhere = (path: string) => path.replaceAll(/\{\w+\}/g, "7");

test("there are 30 operations, each with a unique path and method", () => {
  assert.equal(new Set(referenceOperations.map(({ method, path }) => `${method} ${path}`)).size, 30);
});

test("each is served by its own operation, with a trailing slash too, and by no other path", async () => {
  const tree = await readRouteTree(appDir);
  for (const { method, path } of referenceOperations) {
    for (const slash of ["", "/"]) {
      const destination = findDestination(tree, method, somewhere(path) + slash);
      assert.ok(destination.kind === "endpoint", path);
      const { operation } = destination.endpoint;
      assert.ok([operation.path, ...operation.aliases].includes(path), `${method} ${path} reaches ${operation.id}`);
    }
  }
});

for (const { method, path, fields, request } of referenceOperations) {
  test(`${method} ${path} responds with what its clients read, or with a documented error`, async () => {
    const described200 = described.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    for (const slash of ["", "/"]) {
      const { path: target, body, refusal } = await request(service);
      const [address = "", query] = target.split("?");
      const reply = await client(method, `${address}${slash}${query === undefined ? "" : `?${query}`}`, body);
      if (refusal === undefined) needs(reply, fields);
      else {
        refused(reply, refusal);
        assert.ok(String(refusal) in described200, "the refusal is not described");
      }
    }
  });

  test(`${method} ${path} refuses callers without a token, and callers of another organization`, async () => {
    const { path: target, body } = await request(service);
    refused(await service.client({})(method, target, body), 401);
    if (!path.includes("{org_id}")) return;
    refused(await client(method, target.replace("/organizations/1/", "/organizations/2/"), body), 403);
    refused(await client(method, target.replace("/organizations/1/", "/organizations/x/"), body), 400);
  });
}

test("a literal name is never taken for an id, nor an id for a name", async () => {
  const repositoryId = await service.state.repository();
  // A path that has this name, but not this method.
  for (const [method, path, allowed] of [
    ["PATCH", "/repos/check-suite-settings", "GET, PUT, HEAD, OPTIONS"],
    ["POST", "/repos/check-suite-settings/", "GET, PUT, HEAD, OPTIONS"],
    ["GET", "/agent/run/ban", "POST, OPTIONS"],
    ["GET", "/agent/run/unban", "POST, OPTIONS"],
    ["GET", "/agent/run/resume", "POST, OPTIONS"],
    ["GET", "/agent/run/remove-from-pr", "POST, OPTIONS"],
    ["PUT", "/webhooks/agent-run", "GET, POST, DELETE, HEAD, OPTIONS"],
    ["GET", "/webhooks/agent-run/test", "POST, OPTIONS"],
  ] as const) {
    const reply = await client(method, `${O}${path}`, method === "GET" ? undefined : {});
    refused(reply, 405);
    assert.deepEqual(reply.headers.get("allow")?.split(", ").sort(), allowed.split(", ").sort(), path);
  }
  // A name where an id belongs.
  for (const path of [
    "/repos/settings",
    "/agent/run/check-suite-settings",
    "/agent/run/runs",
    "/users/me",
    "/agent/run/run",
  ]) {
    assert.match(refused(await client("GET", `${O}${path}`), 400).message, /_id: must be a whole number/, path);
  }
  refused(await client("PATCH", `${O}/prs/check-suite-settings`, { state: "open" }), 400);
  // Unknown paths that resemble known ones.
  for (const path of ["/repos/check-suite-settings/prs/1", "/agent/runs/1", "/cli", "/webhooks", "/sandbox/1"]) {
    refused(await client("GET", `${O}${path}`), 404);
  }
  const [plain, literal] = [`${O}/repos/${repositoryId}`, `${O}/repos/check-suite-settings?repo_id=${repositoryId}`];
  assert.equal(Object((await client("GET", plain)).body).id, repositoryId);
  assert.equal(Object((await client("GET", literal)).body).id, undefined);
});
