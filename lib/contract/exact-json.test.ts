import assert from "node:assert/strict";
import { test } from "node:test";
import { ExactNumber, fromPassed, parseExactJson, toPassed } from "./exact-json.ts";

const rewritten = (json: string) => JSON.stringify(parseExactJson(json));

test("digits stay as they were sent", () => {
  for (const number of [
    "107505301260286111",
    "-107505301260286111",
    "1764340679123456789",
    "9007199254740993",
    "0.12345678901234567890",
    "3.141592653589793238462643383279",
    "-0",
    "-0.0",
    "1E3",
    "1e400",
    "-1e400",
    "1e-400",
    "1.0000000000000000",
    "12345678901234567890123e5",
    "9".repeat(5000),
  ]) {
    for (const json of [number, `[${number}]`, `{"a":${number}}`, `{"a":[1,${number},"x"],"b":${number}}`])
      assert.equal(rewritten(json), json, json);
    assert.equal(rewritten(`[ ${number} ,\n${number}\t]`), `[${number},${number}]`);
    assert.equal(String(parseExactJson(number)), number);
  }
});

test("numbers that JavaScript writes in the same way are ordinary ones", () => {
  for (const number of [
    "0",
    "1",
    "-1.5",
    "9007199254740991",
    "1.7976931348623157e+308",
    "1e+21",
    "0.1234567890123456",
  ]) {
    const value = parseExactJson(number);
    assert.equal(typeof value, "number", number);
    assert.equal(JSON.stringify(value), number);
  }
});

test("texts that look like such numbers stay texts", () => {
  for (const text of ["107505301260286111", ": 1e5", "[-0]", "x:1234567890123456", '",-0,"', "\\: 1e9"]) {
    assert.deepEqual(parseExactJson(JSON.stringify({ [text]: text })), { [text]: text });
  }
});

test("what is not JSON is refused as always", () => {
  for (const text of ["", "{", "-", "1e", "01234567890123456789", "-0x", "[1e5", "12345678901234567e"]) {
    assert.throws(() => parseExactJson(text), SyntaxError, text);
  }
});

test("a value passes from the server to the browser with its digits", () => {
  const plain = { a: [1, null, { b: "x" }], c: undefined };
  assert.equal(toPassed(plain), plain);
  assert.equal(fromPassed(plain), plain);
  const exact = parseExactJson('{"a":[1,{"b":107505301260286111}],"c":null}');
  const passed = toPassed(exact);
  assert.deepEqual(passed, { exactJson: '{"a":[1,{"b":107505301260286111}],"c":null}' });
  assert.equal(JSON.stringify(fromPassed(passed)), JSON.stringify(exact));
  for (const value of [null, undefined, "", 0]) assert.equal(fromPassed(toPassed(value)), value);
});

test("a browser without JSON.rawJSON writes the nearest number", (t) => {
  const { rawJSON } = JSON;
  t.after(() => Object.assign(JSON, { rawJSON }));
  Object.assign(JSON, { rawJSON: undefined });
  assert.equal(JSON.stringify([new ExactNumber("107505301260286111")]), "[107505301260286110]");
});
