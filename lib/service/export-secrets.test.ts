import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

test("a key in the prompt is masked in the title, the text and the file's name, but the JSON file has the run as the API does", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token();
  const key = "sk-of-errand-7gk2pxv9qmtf5hj3wb4cr6yl1znause8";
  const put = { variable: "EXPORT_API_KEY", value: key };
  await api.asked("PUT", `/v1/organizations/1/keys`, { token, body: put });
  const { id } = await api.run({ prompt: `Use ${key} now\nand ${key} later` });
  for (const [format, title] of [
    ["html", `<title>Run ${id}: Use [secret masked] now</title>`],
    ["markdown", `# Run ${id}: Use \\[secret masked\\] now\n`],
  ] as const) {
    const file = await api.asked("GET", `/v1/organizations/1/agent/run/${id}/export?format=${format}`, { token });
    assert.ok(file.text.includes(title), file.text.slice(0, 800));
    assert.ok(!file.text.includes(key));
    assert.match(file.headers.get("content-disposition") ?? "", /"errand-run-\d+-use-secret-masked-now\.\w+"/);
  }
  const json = await api.asked("GET", `/v1/organizations/1/agent/run/${id}/export?format=json`, { token });
  assert.equal(json.json.prompt, `Use ${key} now\nand ${key} later`);
  assert.match(json.headers.get("content-disposition") ?? "", /"errand-run-\d+-use-secret-masked-now\.json"/);
});
