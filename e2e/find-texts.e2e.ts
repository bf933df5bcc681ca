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
