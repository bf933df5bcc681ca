import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { z } from "zod";
import { getCliRules } from "#lib/contract/people/organization-settings.ts";
import { getHealth } from "#lib/contract/service-operations.ts";
import { endpoint, publicEndpoint } from "#lib/http/endpoint.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const deprecated = { since: "2027-01-01", sunset: "2027-07-01", link: "/docs/changelog#old-greeting" };
const result = z.object({ name: z.string() });

const greet = endpoint({ ...getCliRules, deprecated, result }, ({ member }) => ({ name: member.role }));
const greetAnybody = publicEndpoint({ ...getHealth, deprecated, result }, () => ({ name: "anybody" }));

test("every response of a deprecated operation says since when, until when, and what to read, even a refusal", async () => {
  const token = await api.token();
  const ask = (org_id: string, secret?: string) =>
    greet(api.request("GET", `/v1/organizations/${org_id}/greet`, { token: secret }), {
      params: Promise.resolve({ org_id }),
    });
  const answers = [
    await ask("1", token),
    await ask("x", token),
    await ask("1"),
    await ask("2", token),
    await greetAnybody(api.request("GET", "/v1/greet"), { params: Promise.resolve({}) }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 401, 403, 200],
  );
  for (const { headers } of answers) {
    assert.equal(headers.get("deprecation"), "@1798761600");
    assert.equal(headers.get("sunset"), "Thu, 01 Jul 2027 00:00:00 GMT");
    const link = '<http://errand.test/docs/changelog#old-greeting>; rel="deprecation"; type="text/html"';
    assert.equal(headers.get("link"), link);
  }
});

test("other operations say nothing about deprecation", async () => {
  const { headers } = await api.asked("GET", "/v1/organizations/1/agents", { token: await api.token() });
  assert.deepEqual([headers.get("deprecation"), headers.get("sunset"), headers.get("link")], [null, null, null]);
});
