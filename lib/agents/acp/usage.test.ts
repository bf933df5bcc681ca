import assert from "node:assert/strict";
import { test } from "node:test";
import { PromptAnswer, parseUpdate } from "./message.ts";
import { type EarlierUse, Usage } from "./usage.ts";

const nothing: EarlierUse = { model: null, tokens: null, costUsd: null, sessionCostUsd: null };

function tell(usage: Usage, update: Record<string, unknown>): boolean {
  const parsed = parseUpdate({ update });
  assert.ok(parsed !== null);
  return usage.update(parsed);
}

const cost = (amount: number, currency = "USD") => ({ sessionUpdate: "usage_update", cost: { amount, currency } });

test("a session's reported cost is the run's cost, in dollars only", () => {
  const usage = new Usage("x", nothing, false);
  assert.ok(tell(usage, cost(0.3)));
  assert.ok(!tell(usage, cost(0.3)));
  assert.ok(tell(usage, cost(0.5)));
  assert.ok(!tell(usage, cost(9, "EUR")));
  assert.equal(usage.figures.costUsd, 0.5);
});

test("a continued session's cost is neither lost nor counted twice, whether its count continues or starts again", () => {
  const earlier = { ...nothing, costUsd: 1.5, sessionCostUsd: 0.5 };
  const continues = new Usage("x", earlier, true);
  tell(continues, cost(0.75));
  assert.equal(continues.figures.costUsd, 1.75);
  assert.equal(continues.sessionCostUsd, 0.75);
  const again = new Usage("x", earlier, true);
  tell(again, cost(0.25));
  tell(again, cost(0.75));
  assert.equal(again.figures.costUsd, 2.25);
  const other = new Usage("x", earlier, false);
  tell(other, cost(0.75));
  assert.equal(other.figures.costUsd, 2.25);
});

test("tokens add up over turns; cached input counts as input, and separate thoughts as output", () => {
  const usage = new Usage("x", nothing, false);
  const counts = { inputTokens: 100, outputTokens: 5, cachedReadTokens: 20, cachedWriteTokens: 3, totalTokens: 130 };
  usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn", usage: counts }));
  assert.deepEqual(usage.figures.tokens, { input: 123, output: 7, total: 130 });
  usage.endTurn(
    PromptAnswer.parse({
      stopReason: "end_turn",
      _meta: { quota: { token_count: { input_tokens: 1, output_tokens: 2 } } },
    }),
  );
  assert.deepEqual(usage.figures.tokens, { input: 124, output: 9, total: 133 });
  usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn", usage: null }));
  assert.deepEqual(usage.figures.tokens, { input: 124, output: 9, total: 133 });
});

test("tokens reported with messages count at once, and only once", () => {
  const usage = new Usage("qwen-code", nothing, false);
  const chunk = {
    sessionUpdate: "agent_message_chunk",
    content: { type: "text", text: "" },
    _meta: { usage: { inputTokens: 10, outputTokens: 1, totalTokens: 11 } },
  };
  assert.ok(tell(usage, chunk));
  tell(usage, chunk);
  assert.equal(usage.figures.tokens?.total, 22);
  usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn" }));
  usage.endTurn(null);
  assert.equal(usage.figures.tokens?.total, 22);
});

test("OpenCode's tokens, which are the last request's, are not taken for the turn's", () => {
  const usage = new Usage("OpenCode", nothing, false);
  usage.endTurn(
    PromptAnswer.parse({ stopReason: "end_turn", usage: { inputTokens: 10, outputTokens: 1, totalTokens: 11 } }),
  );
  assert.equal(usage.figures.tokens, null);
});

test("the model is the one that used the most tokens; auto does not count as one", () => {
  const usage = new Usage("gemini-cli", nothing, false);
  const used = (model: string, input_tokens: number) => ({ model, token_count: { input_tokens, output_tokens: 0 } });
  const model_usage = [used("auto", 100), used("small", 1), used("large", 9)];
  usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn", _meta: { quota: { model_usage } } }));
  assert.equal(usage.figures.model, "large");
});

test("cached tokens that are in the input already are not counted again", () => {
  const usage = new Usage("qwen-code", nothing, false);
  const counts = { inputTokens: 21_058, outputTokens: 42, totalTokens: 21_100, thoughtTokens: 7, cachedReadTokens: 10 };
  usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn", usage: counts }));
  assert.deepEqual(usage.figures.tokens, { input: 21_058, output: 42, total: 21_100 });
});

test("what an agent does not know is unknown and not 0, and sums have no stray last digits", () => {
  const cancelled = new Usage("x", nothing, false);
  assert.ok(!tell(cancelled, cost(0)));
  const counts = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  cancelled.endTurn(PromptAnswer.parse({ stopReason: "cancelled", usage: counts }));
  assert.deepEqual([cancelled.figures.tokens, cancelled.figures.costUsd], [null, null]);
  const sums = new Usage("x", { ...nothing, costUsd: 0.05, sessionCostUsd: 0 }, false);
  tell(sums, cost(0.01027));
  assert.equal(String(sums.figures.costUsd), "0.06027");
});

test("figures that cannot be true are not taken, and a model's name has a bound", () => {
  for (const count of [10.5, -10, 1e17, 1e300]) {
    const usage = new Usage("x", nothing, false);
    const meta = { usage: { inputTokens: count, outputTokens: 2 } };
    tell(usage, { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "a" }, _meta: meta });
    assert.equal(usage.figures.tokens, null, `${count} during the turn`);
    usage.endTurn(PromptAnswer.parse({ stopReason: "end_turn", usage: { inputTokens: count, outputTokens: 2 } }));
    assert.equal(usage.figures.tokens, null, `${count} at its end`);
  }
  for (const amount of [-5, 1e305]) {
    const usage = new Usage("x", nothing, false);
    tell(usage, cost(amount));
    assert.equal(usage.figures.costUsd, null);
  }
  const usage = new Usage("x", nothing, false);
  tell(usage, { sessionUpdate: "usage_update", _meta: { "_claude/model": "m".repeat(100_000) } });
  assert.equal(usage.figures.model, "m".repeat(200));
  const most = PromptAnswer.parse({ stopReason: "end_turn", usage: { inputTokens: 1e12, outputTokens: 1e12 } });
  for (let turn = 0; turn < 10_000; turn += 1) usage.endTurn(most);
  assert.ok(Number.isSafeInteger(usage.figures.tokens?.total));
});
