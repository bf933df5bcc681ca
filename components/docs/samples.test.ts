import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { operations } from "#lib/contract/operations.ts";
import { followEntries, quickStart, readAllEntries } from "./guide-samples.ts";
import { requestSamples, sampleRequest } from "./request-samples.ts";
import type { SampleLanguage, Samples } from "./samples.ts";

const root = resolve(import.meta.dirname, "../..");
const base = "http://h/v1/organizations/7";

/** Every sample shown in the documentation, by name. */
const shown: Record<string, Samples> = {
  quickStart: quickStart(base),
  readAllEntries: readAllEntries(base),
  followEntries: followEntries(base),
  ...Object.fromEntries(
    operations.map((operation) => [operation.id, requestSamples(sampleRequest(operation, "http://h", 7))]),
  ),
};

/** Writes all samples of a language to files in a temporary folder. */
function withFiles(language: SampleLanguage, extension: string, work: (files: string[], folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "errand-samples-"));
  try {
    const files = Object.entries(shown).map(([name, samples]) => {
      const file = join(folder, `${name}.${extension}`);
      writeFileSync(file, `${samples[language]}\n`);
      return file;
    });
    assert.ok(files.length > operations.length);
    work(files, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

test("every TypeScript sample compiles under strict", () => {
  withFiles("typescript", "mts", (files) => {
    const rules = [
      "--ignoreConfig",
      "--strict",
      "--noUncheckedIndexedAccess",
      "--noEmit",
      "--target",
      "esnext",
      "--module",
      "nodenext",
    ];
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, ...rules, ...types, ...files], { encoding: "utf8" });
    assert.equal(status, 0, stdout);
  });
});

test("every Python sample parses", { skip: has("python3") ? false : "python3 is not there" }, () => {
  withFiles("python", "py", (files, folder) => {
    execFileSync("python3", ["-W", "error", "-m", "py_compile", ...files], { cwd: folder });
  });
});

test("every curl sample is a valid POSIX shell command", () => {
  withFiles("curl", "sh", (files) => {
    for (const file of files) execFileSync("sh", ["-n", file]);
  });
});

test("a request is the same in every language: address, method, token and body", () => {
  const create = operations.find(({ id }) => id === "createRun");
  assert.ok(create);
  const { curl, typescript, python } = requestSamples(sampleRequest(create, "http://h", 7));
  assert.equal(
    curl,
    `curl http://h/v1/organizations/7/agent/run \\
  -H "Authorization: Bearer $ERRAND_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"prompt":"Fix the failing test","repo_id":1}'`,
  );
  assert.equal(
    typescript,
    `const response = await fetch("http://h/v1/organizations/7/agent/run", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.ERRAND_TOKEN}\`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ prompt: "Fix the failing test", repo_id: 1 }),
});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
  );
  assert.equal(
    python,
    `import json
import os
import urllib.request

request = urllib.request.Request(
    "http://h/v1/organizations/7/agent/run",
    method="POST",
    headers={
        "Authorization": f"Bearer {os.environ['ERRAND_TOKEN']}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"prompt": "Fix the failing test", "repo_id": 1}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,
  );
});

test("bodies use each language's own spelling: null, true, quotes, other scripts", () => {
  const request = { method: "PUT", url: "http://h/x", headers: [], answers: "json" } as const;
  const body = { on: true, none: null, "a-b": [], text: "it's „ü“ \"" };
  const { curl, typescript, python } = requestSamples({ ...request, headers: [], body });
  assert.match(curl, /^curl -X PUT http:\/\/h\/x \\\n {2}-d '\{"on":true,"none":null,"a-b":\[\],"text":"it'\\''s /);
  assert.ok(typescript.includes(`{ on: true, none: null, "a-b": [], text: "it's „ü“ \\"" }`), typescript);
  assert.ok(python.includes(`{"on": True, "none": None, "a-b": [], "text": "it's „ü“ \\""}`), python);
});

test("a stream is shown as it arrives, and a response that is not JSON as text", () => {
  const samplesOf = (id: string) => {
    const operation = operations.find((known) => known.id === id);
    assert.ok(operation);
    return requestSamples(sampleRequest(operation, "http://h", 7));
  };
  const stream = samplesOf("streamLogs");
  assert.ok(stream.curl.startsWith("curl -N 'http://h/v1/organizations/7/agent/run/1/logs/stream?after=0'"));
  assert.ok(stream.python.includes("for line in response:"));
  assert.ok(samplesOf("getDiff").typescript.endsWith("console.log(await response.text());"));
  assert.ok(samplesOf("listSessions").curl.includes(`-H "Cookie: errand_session=$ERRAND_SESSION"`));
  assert.ok(!samplesOf("getHealth").python.includes("os"));
});
