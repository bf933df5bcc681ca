import { ApiClient } from "./api.ts";
import { expect, test } from "./test.ts";

const esc = "\u001B";
const data = "iVBORw0KGgo".repeat(40);

/** Calls whose stored text differs from what a reader sees. */
const entries = [
  { tool_name: "Bash", tool_input: { command: "true" }, tool_output: { output: `${esc}[31merr${esc}[0mor one\n` } },
  { tool_name: "Bash", tool_input: { command: "true" }, tool_output: { output: "secretprogress\rfinished done  \n" } },
  { tool_name: "Bash", tool_input: { command: "false" }, tool_output: { exit_code: 137, output: "x" } },
  { tool_name: "lookup", tool_input: { verboseKey: true, n: { alphaKey: null } }, tool_output: { found: [false, 7] } },
  { tool_name: "lookup", tool_input: { city: "İSTANBUL", name: "ΟΔΟΣ" }, tool_output: { output: "ok" } },
  {
    tool_name: "shot",
    tool_input: {},
    tool_output: { content: [{ type: "image", source: { media_type: "image/png", data } }] },
  },
  {
    tool_name: "Bash",
    tool_input: { command: "pull" },
    tool_output: { output: `one ...\n${esc}[A${esc}[2Kone done\n` },
  },
  {
    tool_name: "mcp__build__log",
    tool_input: {},
    tool_output: { structuredContent: { log: `${esc}[31mbro${esc}[0mken link` }, took: 3 },
  },
].map((entry) => ({ message_type: "ACTION", ...entry }));
const error = { message_type: "ERROR", observation: { message: `${esc}[31mTrace${esc}[0mback of it` } };

test("what find counts is what the page highlights, whatever the stored text", { tag: "@short" }, async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const { body: run } = await api.ask("POST", "/agent/run", { prompt: "Find the texts", agent: "external" });
  const sent = await api.ask("POST", `/agent/run/${run.id}/logs`, { entries: [...entries, error] });
  expect([sent.status, sent.body.errors]).toEqual([200, undefined]);
  await api.ask("PATCH", `/agent/run/${run.id}`, { status: "completed", result: "done" });
  for (const [words, count] of [
    ["error one", 1],
    ["secretprogress", 0],
    ["finished done", 1],
    ["exit 137", 1],
    ["verboseKey", 1],
    ["alphaKey", 1],
    ["true", 3],
    ["null", 1],
    ["istanbul", 1],
    ["οδος", 1],
    ["iVBORw0KGgo", 0],
    ["one done", 1],
    ["one ...", 0],
    ["Traceback", 1],
    ["broken link", 1],
    ["[31m", 0],
  ] as const) {
    const { body } = await api.ask("GET", `/agent/run/${run.id}/logs/search?q=${encodeURIComponent(words)}`);
    expect([words, body.matches]).toEqual([words, count]);
    await page.goto(`${product.url}/runs/${run.id}?find=${encodeURIComponent(words)}`);
    if (count === 0) {
      await expect(page.getByText("Not in this run"), words).toBeVisible();
      continue;
    }
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get("find")?.keys() ?? [])].length), { message: words })
      .toBe(count);
  }
});

test("numbers that JavaScript cannot hold are shown with their digits, in cards, raw JSON, facts and a find", async ({
  signedIn: page,
  product,
}) => {
  const api = await ApiClient.create(product);
  const numbers = '{"id":107505301260286111,"rate":1E400}';
  const post = async (path: string, body: string) =>
    (await api.fetch(path, { method: "POST", body, headers: { "content-type": "application/json" } })).json();
  const run = await post(
    "/agent/run",
    `{"prompt":"Count","agent":"external","metadata":{"build":1764340679123456789}}`,
  );
  const entry = `{"message_type":"ACTION","tool_name":"mcp__store__get","tool_input":${numbers},"tool_output":{"rows":[${numbers}]}}`;
  await post(`/agent/run/${run.id}/logs`, `{"entries":[${entry}]}`);
  const main = page.getByRole("main");
  for (const path of ["", "?find=0286111", "?tab=raw"]) {
    await page.goto(`${product.url}/runs/${run.id}${path}`);
    await expect(main, path).toContainText("107505301260286111");
    await expect(main, path).toContainText("1E400");
    await expect(main).not.toContainText("107505301260286110");
  }
  await page.goto(`${product.url}/runs/${run.id}`);
  await expect(main).toContainText("1764340679123456789");
});
