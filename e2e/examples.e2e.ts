import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { copyFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApiClient } from "./api.ts";
import type { Product } from "./product.ts";
import { runProgram } from "./program.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { expect, test } from "./test.ts";

const root = join(import.meta.dirname, "..");
const generated = join(root, "examples", "generated-client");
const node = join(root, "node_modules", ".bin", "node");
const prompt = "Say it.\n```sh\necho hello from the run\n```";

for (const { file, by, needs } of [
  { file: "follow-a-run.ts", by: node, needs: [] },
  { file: "follow-a-run.py", by: "python3", needs: ["python3"] },
  { file: "follow-a-run.sh", by: "bash", needs: ["bash", "curl", "jq"] },
]) {
  test(
    `examples/${file} starts a run, prints every entry and the answer`,
    file.endsWith(".sh") ? { tag: "@short" } : {},
    async ({ product }) => {
      const missing = needs.filter((name) => !isHere(name));
      test.skip(missing.length > 0, `not on this machine: ${missing.join(", ")}`);
      await expectRun(product, await runExample(product, by, [join(root, "examples", file), prompt], root));
    },
  );
}

for (const { file, by } of [
  { file: "follow-a-run.py", by: "python3" },
  { file: "follow-a-run.sh", by: "bash" },
]) {
  test(`examples/${file} ends with what the service says about a wrong token`, ({ product }) => {
    test.skip(!["curl", "jq", by].every(isHere), "not all programs are on this machine");
    const env = {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "test" as const,
      ERRAND_URL: product.url,
      ERRAND_TOKEN: "wrong",
    };
    const { status, stdout, stderr } = spawnSync(by, [join(root, "examples", file)], { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^(?:curl: .*\n)?401: .+\.\n$/);
  });
}

test("the example with Errand's own client takes twenty lines", () => {
  const lines = readFileSync(join(root, "examples", "follow-a-run.ts"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeLessThanOrEqual(20);
});

test("a client generated from the service's description compiles strictly, starts a run, follows it and reads its log", async ({
  product,
}) => {
  const folder = temporaryFolder("errand generated ");
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await copyFile(join(generated, "follow.ts"), join(folder, "follow.ts"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    target: "es2024",
    module: "nodenext",
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["follow.ts"] }));

  const generator = join(generated, "node_modules", "openapi-typescript", "bin", "cli.js");
  await runProgram(node, [generator, `${product.url}/v1/openapi.json`, "--output", "api.ts"], { cwd: folder });
  await runProgram(join(root, "node_modules", ".bin", "tsc"), ["--project", "."], { cwd: folder });
  const lines = await runExample(product, node, ["follow.ts", prompt], folder);
  expect(lines.pop()).toBe("last entry: FINAL_ANSWER");
  await expectRun(product, lines);
});

async function runExample(product: Product, program: string, words: string[], cwd: string): Promise<string[]> {
  const token = await product.cli("token", "create", "--name", "example");
  return await runProgram(program, words, { cwd, env: { ERRAND_URL: product.url, ERRAND_TOKEN: token } });
}

/** Expects the lines to name a completed run, all its entries in order, and its answer. */
async function expectRun(product: Product, [address = "", ...lines]: string[]): Promise<void> {
  const api = await ApiClient.create(product);
  const { body } = await api.ask("GET", `/agent/run/${/\d+$/.exec(address)}/logs`);
  expect(body).toMatchObject({ status: "completed", prompt, agent: "steps", web_url: address });
  const entries = body.logs as { seq: number; message_type: string; tool_name: string | null }[];
  expect(entries.length).toBeGreaterThan(2);
  const told = entries.map(({ seq, message_type, tool_name }) => `${seq} ${message_type} ${tool_name ?? ""}`.trimEnd());
  expect(lines.join("\n")).toBe([...told, `completed: ${body.result}`].join("\n"));
}

function isHere(program: string): boolean {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
