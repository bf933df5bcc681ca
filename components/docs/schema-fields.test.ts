import assert from "node:assert/strict";
import test from "node:test";
import { listFields, typeWords } from "./schema-fields.ts";

test("fields have a type, bounds and choices, and say whether they are required", () => {
  const fields = listFields({
    type: "object",
    properties: {
      prompt: { type: "string", maxLength: 262144, description: "What to do" },
      limit: { type: "integer", minimum: 1, maximum: 100, default: 100 },
      mode: { anyOf: [{ type: "string", enum: ["auto", "ask"] }, { type: "null" }] },
    },
    required: ["prompt"],
  });
  assert.deepEqual(fields, [
    {
      name: "prompt",
      type: { text: "string", link: null },
      isRequired: true,
      rules: ["at most 262,144 characters"],
      description: "What to do",
      choices: [],
    },
    {
      name: "limit",
      type: { text: "integer", link: null },
      isRequired: false,
      rules: ["1 to 100", "default 100"],
      description: "",
      choices: [],
    },
    {
      name: "mode",
      type: { text: "string or null", link: null },
      isRequired: false,
      rules: ["auto | ask"],
      description: "",
      choices: ["auto", "ask"],
    },
  ]);
});

test("fields of nested objects are listed by their path", () => {
  const names = listFields({
    properties: {
      tokens: { anyOf: [{ properties: { input: { type: "integer" } } }, { type: "null" }] },
      options: { type: "array", items: { properties: { id: { type: "string" } } } },
    },
  }).map(({ name }) => name);
  assert.deepEqual(names, ["tokens", "tokens.input", "options", "options[].id"]);
});

test("types are put into words, and named types link to their description", () => {
  assert.deepEqual(typeWords({ type: "array", items: { $ref: "#/components/schemas/Run" } }), {
    text: "array of Run",
    link: "Run",
  });
  assert.deepEqual(typeWords({ type: ["string", "null"] }), { text: "string or null", link: null });
  assert.deepEqual(typeWords({}), { text: "any", link: null });
});
