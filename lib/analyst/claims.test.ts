import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { type AnalystAnswer, checkAnswer, parseAnswer } from "./claims.ts";

const entries = [
  { seq: 1, message_type: "USER_MESSAGE", observation: "Fix the failing\n  test in “src/cart.ts”" },
  {
    seq: 2,
    message_type: "ACTION",
    tool_input: { command: 'echo "hi"' },
    tool_output: { output: "bash: bun: command not found" },
  },
  { seq: 3, message_type: "FINAL_ANSWER", observation: "I could not run the tests." },
];
const entryText = async (seq: number) => {
  const entry = entries[seq - 1];
  return entry === undefined ? null : JSON.stringify(entry);
};
const claim = (text: string, ...evidence: [seq: number, quote: string][]): AnalystAnswer["claims"][number] => ({
  claim: text,
  kind: "cause",
  evidence: evidence.map(([seq, quote]) => ({ seq, quote })),
});
const log = { steps: entries.length, entryText };
const check = (...claims: AnalystAnswer["claims"]) => checkAnswer({ claims }, log);

test("a quote counts as written in the text or in its JSON, whatever its white space", async () => {
  const quotes: [number, string][] = [
    [2, "bun: command not found"],
    [2, 'echo "hi"'],
    [2, '"command":"echo \\"hi\\""'],
    [1, "failing test in “src/cart.ts”"],
    [1, "failing\\n  test"],
  ];
  for (const [seq, quote] of quotes) {
    const { claims, struck } = await check(claim("It holds.", [seq, quote]));
    assert.deepEqual([claims.length, struck], [1, 0], quote);
  }
});

test("claims that the log does not prove are struck and counted", async () => {
  const cases: [AnalystAnswer["claims"][number], number][] = [
    [claim("Of no such step.", [4, "command not found"]), 2],
    [claim("Of another step.", [3, "command not found"]), 2],
    [claim("Too short a quote.", [2, "bun"]), 2],
    [claim("An empty quote.", [2, "   "]), 2],
    [claim("No whole number.", [2.5, "command not found"]), 2],
    [claim("It names step 99.", [2, "command not found"]), 1],
    [claim("It names steps 1, 2 and 99.", [2, "command not found"]), 1],
    [claim("It names entry #0.", [2, "command not found"]), 1],
    [claim("It names steps 1 , and  #99.", [2, "command not found"]), 1],
    [claim("It names steps 2–3 or - 99.", [2, "command not found"]), 1],
  ];
  for (const [one, expected] of cases) {
    const { claims, struck } = await check(one);
    assert.deepEqual([claims, struck], [[], expected], one.claim);
  }
  const mixed = await check(claim("One of two holds.", [2, "command not found"], [7, "command not found"]));
  assert.deepEqual(mixed.claims[0]?.evidence, [{ seq: 2, quote: "command not found" }]);
  assert.equal(mixed.struck, 1);
});

test("each step is read once, whatever is quoted of it and named, and other work goes on meanwhile", async () => {
  const read: number[] = [];
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const quotes = Array.from({ length: 20 }, (_, index): [number, string] => [2, `word ${index}`]);
  const claims = Array.from({ length: 3 }, () => claim("As steps 1, 2 and 3 show.", ...quotes, [3, "a word"]));
  const entryOf = async (seq: number) => {
    read.push(seq);
    return JSON.stringify({ output: "a  word" });
  };
  const { struck } = await checkAnswer({ claims }, { steps: 3, entryText: entryOf });
  clearImmediate(counting);
  assert.deepEqual([read, struck], [[2, 3], 60]);
  assert.ok(turns > 60, `${turns} turns of the event loop`);
});

test("a quote is found in an entry with more values than a call may have arguments", async () => {
  const entry = JSON.stringify({
    tool_output: { rows: Array.from({ length: 200_000 }, (_, row) => row), last: "a\nquote" },
  });
  const claims = [claim("It holds.", [1, "a quote"])];
  const { struck } = await checkAnswer({ claims }, { steps: 1, entryText: async () => entry });
  assert.equal(struck, 0);
});

test("a claim with a long row of separators is read at once", async () => {
  for (const separators of ["- ", " ,", " and ", "–  & "]) {
    const text = `In step 2 ${separators.repeat(1_900 / separators.length)}the tests fail`;
    const { claims } = await check(claim(text, [2, "command not found"]));
    assert.equal(claims.length, 1, separators);
  }
  const { struck } = await check(claim("2 4 tests fail in step 2 4 times.", [2, "command not found"]));
  assert.equal(struck, 0);
});

test("an answer is read on its own, in a fence, or among words; for anything else the reason is given", () => {
  const json = JSON.stringify({ claims: [claim("Yes.", [1, "Fix the"])], more: 1 });
  for (const text of [json, `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nDone.`, `Sure. ${json} I hope it helps.`]) {
    assert.ok("claims" in parseAnswer(text), text);
  }
  const before = "```ts\nconst a = {};\n```\n```json\n{}\n```";
  const pretty = JSON.stringify(JSON.parse(json), null, 2);
  for (const text of [
    `${before}\n\n\`\`\`\n${pretty}\n\`\`\`\n{`,
    `${before}\n  \`\`\`JSON\r\n${pretty}\r\n  \`\`\`\r\n{`,
  ]) {
    assert.ok("claims" in parseAnswer(text), text);
  }
  assert.deepEqual(parseAnswer("The tests failed."), { problem: "The answer is not JSON." });
  for (const [text, place] of [
    ['{"claims": [{"claim": ""}]}', /claims\.0/],
    ['{"claims": [{"claim": "x", "evidence": []}]}', /claims\.0\.evidence/],
    ['{"claims": [{"claim": "x", "evidence": [{"seq": "2", "quote": "y"}]}]}', /evidence\.0\.seq/],
    ["[]", /claims|it/],
  ] as const) {
    const answer = parseAnswer(text);
    assert.ok("problem" in answer && place.test(answer.problem), text);
  }
});

test("an answer that ends in blank lines or fences is read at once", () => {
  for (const end of ["\n".repeat(500_000), "```\n".repeat(100_000), "```json\n\n".repeat(100_000)]) {
    assert.deepEqual(parseAnswer(`\`\`\`json${end}x`), { problem: "The answer is not JSON." });
  }
});

test("of fuzzed answers no claim is accepted that cites or names a step that does not exist", async () => {
  const random = mulberry(20260601);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const real = ["Fix the failing", "command not found", "I could not run the tests."];
  const seqs = [-1, 0, 1, 2, 3, 4, 17, 1e9, 2.5, Number.MAX_SAFE_INTEGER];
  let accepted = 0;
  for (let round = 0; round < countOf({ short: 200, long: 20_000 }); round += 1) {
    const claims = Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
      const words = pick(["It broke.", "See step", "As entries 2 and", "seq"]);
      const text = words === "It broke." ? words : `${words} ${Math.abs(Math.trunc(pick(seqs)))}`;
      const count = 1 + Math.floor(random() * 3);
      const evidence = Array.from({ length: count }, (): [number, string] => {
        const quote = pick(real);
        return [pick(seqs), random() < 0.3 ? quote.split("").reverse().join("") : quote];
      });
      return claim(text, ...evidence);
    });
    const answer = parseAnswer(JSON.stringify({ claims }));
    assert.ok(!("problem" in answer));
    for (const kept of (await checkAnswer(answer, log)).claims) {
      accepted += 1;
      const named = (kept.claim.match(/\d+/g) ?? []).map(Number);
      for (const seq of [...named, ...kept.evidence.map(({ seq }) => seq)])
        assert.ok([1, 2, 3].includes(seq), kept.claim);
      for (const { seq, quote } of kept.evidence) assert.equal(real.indexOf(quote) + 1, seq);
    }
  }
  assert.ok(accepted > 20, `${accepted} claims were accepted at all`);
});

/** Numbers from 0 to 1 that are the same in every run. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
