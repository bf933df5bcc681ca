// Tier: rest
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { before, test } from "node:test";
import { buildOpenapi } from "./openapi.ts";

const root = resolve(import.meta.dirname, "../../..");
/** What people generate clients with, besides the generator of `examples/generated-client`, and what the clients import. */
const packages = {
  "openapi-zod-client": "1.18.3",
  orval: "7.13.2",
  "@hey-api/openapi-ts": "0.95.0",
  "swagger-typescript-api": "13.13.0",
  "@zodios/core": "10.9.6",
  axios: "1.21.1",
  zod: "3.25.76",
  // What @hey-api/openapi-ts works with.
  typescript: "5.9.3",
};
/** Hundreds of megabytes that no other test needs: kept between runs, and not among the project's own packages. */
const installed = join(root, "node_modules/.cache/errand-generators");
let whyNot: string | null = null;

before(() => {
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const quietly = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  const { status, stderr } = spawnSync("npm", ["install", ...quietly], {
    cwd: installed,
    encoding: "utf8",
    timeout: 240_000,
  });
  if (status !== 0) whyNot = `the generators cannot be installed: ${stderr.trim().split("\n").at(-1)}`;
});

const generators: Record<string, string[]> = {
  "openapi-zod-client": ["openapi.json", "--output", "client.ts", "--export-schemas"],
  orval: ["--input", "openapi.json", "--output", "client.ts", "--client", "fetch"],
  "openapi-ts": ["--input", "openapi.json", "--output", "client"],
  "swagger-typescript-api": ["generate", "--path", "openapi.json", "--output", "client"],
};

for (const [program, words] of Object.entries(generators)) {
  test(`the client that ${program} generates compiles under strict`, (t) => {
    if (whyNot !== null) return t.skip(whyNot);
    const folder = mkdtempSync(join(tmpdir(), "errand-generated-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    symlinkSync(join(installed, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "openapi.json"), JSON.stringify(buildOpenapi()));
    execFileSync(join(installed, "node_modules/.bin", program), words, {
      cwd: folder,
      stdio: "pipe",
      timeout: 120_000,
    });
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: "es2024", module: "esnext" },
      ...{ moduleResolution: "bundler", lib: ["es2024", "dom", "dom.iterable"], types: [] },
    };
    const include = ["client.ts", "client/**/*.ts"];
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include }));
    const compiled = spawnSync(join(root, "node_modules/.bin/tsc"), ["--project", "."], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(compiled.status, 0, compiled.stdout.slice(0, 3000));
  });
}
