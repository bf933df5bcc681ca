// The table of which folder may import which. `node scripts/import-map.mjs` writes biome.imports.json from it, with which the
// linter enforces it; a test compares the two.

import { readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folders and files of lib that only the importers listed below may import. The contract and the small files are open to all. */
const guarded = [
  ...readdirSync(new URL("../lib", import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "contract")
    .map(({ name }) => name)
    .sort(),
  ...["config.ts", "logger.ts"],
];

const pages = ["#components/**", "#app/**"];
const server = [...pages, "next", "next/**"];
const browser = ["#app/**", "node:*", "zod"];
const anywhere = [...pages, "node:*"];
const plain = [...anywhere, "zod"];

/**
 * Importers, the guarded folders besides their own that they may import, and what else they must not. The folder runtime and the
 * programs' entry points put everything together: they have no row.
 */
const rows = [
  [["lib/contract"], [], anywhere],
  [["lib/entry"], [], plain],
  [["lib/analysis", "lib/claude-code", "lib/client"], ["entry"], plain],
  [["lib/otlp"], [], plain],
  [["lib/outbound"], [], [...server, "#lib/*/**"]],
  [["lib/secrets"], [], [...server, "#lib/**"]],
  [["lib/oidc", "lib/limits"], [], server],
  [["lib/egress"], ["entry", "outbound"], server],
  [["lib/webhooks", "lib/workspace"], ["outbound"], server],
  [["lib/store"], ["claude-code", "entry", "otlp"], server],
  [["lib/search"], ["entry", "store"], server],
  [["lib/tail", "lib/auth"], ["store"], server],
  [["lib/host"], ["chat", "entry", "secrets", "store"], server],
  [["lib/chat"], ["entry", "host"], server],
  [["lib/analyst"], ["analysis", "store"], server],
  [["lib/setup"], ["workspace"], server],
  [["lib/agents"], ["analyst", "egress", "entry", "setup"], server],
  [
    ["lib/engine", "!lib/engine/main.ts"],
    [
      ...["agents", "analyst", "chat", "egress", "entry", "host", "outbound", "secrets", "setup"],
      ...["store", "webhooks", "workspace"],
    ],
    server,
  ],
  [
    ["lib/service"],
    [
      ...["analysis", "claude-code", "egress", "entry", "host", "oidc", "otlp", "outbound", "search", "secrets"],
      ...["store", "tail", "webhooks"],
    ],
    server,
  ],
  [["lib/http"], ["auth", "limits", "service"], server],
  [["lib/mcp"], ["entry", "http"], server],
  [["lib/git"], ["auth", "http", "outbound", "service", "workspace"], server],
  [["lib/metrics"], ["auth", "http", "store"], server],
  [["lib/web", "!lib/web/main.ts"], ["config.ts", "git", "http", "logger.ts", "mcp", "metrics", "runtime"], pages],
  [["lib/cli"], ["config.ts", "logger.ts", "runtime", "secrets", "store"], server],
  [["app/v1", "app/healthz", "app/readyz"], ["http", "service"], server],
  [["app/**/*.tsx"], ["entry", "client"], ["#app/**", "node:*"]],
  [["components"], ["entry", "client"], browser],
  [["components/share"], ["entry", "client"], [...browser, "#components/shared-run/**", "#components/trace/page/**"]],
  [
    ["components/pulls"],
    ["entry", "client"],
    [...browser, "#components/feed/**", "#components/trace/page/**", "#components/trace/steps/**"],
  ],
  [
    ["components/changes"],
    ["entry", "client"],
    [...browser, "#components/feed/**", "#components/trace/page/**", "#components/trace/steps/**"],
  ],
  [
    ["components/text"],
    ["entry"],
    [...browser, "#components/trace/**", "#components/feed/**", "#components/session/**", "#components/page/**"],
  ],
  [["components/feed", "components/canvas"], [], [...browser, "#components/trace/**", "#lib/**"]],
];

/** The folders of components/trace: each may import those before it. `*` is the folder itself, without its subfolders. */
const trace = [
  ...["reader", "entry/parts", "entry/tools", "entry/cards", "entry/*"],
  ...["minimap", "timeline", "steps/density", "steps/groups", "steps/filter", "steps/find", "steps/*"],
  ...["page/queue", "page/*"],
];

/** @param {readonly string[]} folders @param {readonly string[]} never */
function rule(folders, never) {
  const includes = folders.map((folder) => (/\.tsx?$|\*$/.test(folder) ? folder : `${folder}/**`));
  const patterns = [
    { group: never, message: "The import map of ARCHITECTURE.md does not allow this (scripts/import-map.mjs)." },
    {
      group: ["../**"],
      message: "Import from your own folder by ./ and from elsewhere by #lib, #components or #app.",
    },
  ];
  return {
    includes: [...includes, "!**/*.test.ts", "!**/*.fixture.ts", "!**/*-under-test.ts"],
    linter: { rules: { style: { noRestrictedImports: { level: "error", options: { patterns } } } } },
  };
}

/** @param {string} folder @param {readonly string[]} may @param {readonly string[]} never */
function neverOf(folder, may, never) {
  const closed = guarded.filter((area) => !may.includes(area) && folder !== `lib/${area}`);
  return [...closed.map((area) => (area.endsWith(".ts") ? `#lib/${area}` : `#lib/${area}/**`)), ...never];
}

/** Content of biome.imports.json. */
export function importRules() {
  const [viewer] = rows.filter(([folders]) => folders.includes("components"));
  const below = trace.map((folder, place) => {
    const later = trace
      .slice(place + 1)
      .flatMap((other) => [`#components/trace/${other}${other.endsWith("*") ? "" : "/**"}`]);
    return rule(
      [`components/trace/${folder}`],
      [...neverOf("components/trace", viewer[1], viewer[2]), "#components/shared-run/**", ...later],
    );
  });
  const each = rows.flatMap(([folders, may, never]) => {
    const except = folders.filter((folder) => folder.startsWith("!"));
    return folders
      .filter((folder) => !except.includes(folder))
      .map((folder) => rule([folder, ...except], neverOf(folder, may, never)));
  });
  return { overrides: [...each, ...below] };
}

const target = fileURLToPath(new URL("../biome.imports.json", import.meta.url));
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = importRules().overrides.map((one) => `    ${JSON.stringify(one)}`);
  writeFileSync(target, `{\n  "overrides": [\n${lines.join(",\n")}\n  ]\n}\n`);
}
