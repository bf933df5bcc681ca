import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, resolve } from "node:path";
import { z } from "zod";
import { externalAgent, internalAgents } from "#lib/contract/runs/agent-ids.ts";
import { Isolation } from "#lib/contract/runs/isolation.ts";
import { PermissionMode } from "#lib/contract/runs/run.ts";
import { readTarget, readWrittenHost } from "#lib/egress/resolve.ts";
import { readRuleHost } from "#lib/egress/rules.ts";
import { isWithin } from "#lib/is-within.ts";
import type { AgentProfile, UserFile } from "./agent.ts";
import { defaultProfile } from "./profiles.ts";

/** The agents file cannot be used. The message is one line that names the agent and the field. */
export class AgentsFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "AgentsFileError";
  }
}

const variableName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable");
const ownVariable = variableName.refine(
  (name) => !name.startsWith("ERRAND_"),
  "must not be one of Errand's own (ERRAND_…)",
);
const noNul = (value: string) => !value.includes("\0");
const text = z
  .string()
  .min(1, "must not be empty")
  .max(4096, "must have at most 4096 characters")
  .refine(noNul, "must not contain a NUL character");
/** Linux takes at most 128 KiB for a variable, with its name. */
const variableValue = z
  .string()
  .refine((value) => Buffer.byteLength(value) <= 65_536, "must have at most 65,536 bytes")
  .refine(noNul, "must not contain a NUL character");

const Command = z.union(
  [
    z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(65_536, "must have at most 65,536 characters")
      .refine(noNul, "must not contain a NUL character")
      .transform((line) => line.split(/\s+/)),
    z.array(text).min(1, "must not be empty"),
  ],
  "must be a string or a list of strings",
);

const hostName = z.string().refine((host) => !("wrong" in readRuleHost(host)), "must be the name of a public host");

const FileKey = z.strictObject({
  variable: ownVariable.regex(/^[A-Z][A-Z0-9_]*$/, "must be in capital letters"),
  host: z
    .string()
    .refine((host) => readTarget(host, 443, readWrittenHost) !== null, "must be a host, or a host and a port"),
  header: z.string().regex(/^[A-Za-z0-9-]{1,100}$/, "must be the name of a header"),
  base_url: ownVariable,
  path: z
    .string()
    .regex(/^(?:\/[\w.-]+)*$/, "must be a path like /v1")
    .default(""),
});

const UserFiles = z
  .array(text.regex(/^~\/(?!.*(^|\/)\.\.(\/|$)).+[^/]$/, "must be a file below ~/"))
  .max(20, "must have at most 20 files");

const McpProgram = z.strictObject({
  // The protocol requires an absolute path here.
  command: z.tuple(
    [text.regex(/^\//, "must begin with the absolute path of a program")],
    text,
    "must be a list of strings that begins with the absolute path of a program",
  ),
  env: z.record(ownVariable, variableValue).default({}),
});
/** The names that an organization's servers can have: agents make names of tools from them. */
const mcpName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, "must be 1 to 40 letters, digits, - and _");

const FileProfile = z.strictObject({
  title: text.optional(),
  command: Command.optional(),
  env: z.record(ownVariable, variableValue).optional(),
  models: z.array(text).optional(),
  pass_env: z.array(ownVariable).optional(),
  modes: z.partialRecord(PermissionMode, text).optional(),
  auth_method: text.nullish(),
  steering: z.enum(["prompt", "asks"], "must be prompt or asks").nullish(),
  home_variable: variableName.nullish(),
  keys: z.array(FileKey).max(20, "must have at most 20 keys").optional(),
  hosts: z.array(hostName).max(50, "must have at most 50 hosts").optional(),
  sign_in: UserFiles.optional(),
  settings: UserFiles.optional(),
  isolation: Isolation.nullish(),
  readable: z
    .array(text.regex(/^(\/|~\/)/, "must begin with / or ~/"))
    .max(50, "must have at most 50 paths")
    .optional(),
  mcp_servers: z
    .record(mcpName, McpProgram)
    .refine((servers) => Object.keys(servers).length <= 20, "must have at most 20 servers")
    .optional(),
  disabled: z.boolean().optional(),
});

const AgentsFile = z.record(
  z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      "an agent's id may contain only lowercase letters, digits, - and _ (at most 64), and must start with a letter or digit",
    )
    .refine((id) => id !== externalAgent, "is the name of runs that another system executes; choose another id")
    .refine((id) => !Object.hasOwn(internalAgents, id), "is the name of one of Errand's own agents; choose another id"),
  FileProfile,
);

/**
 * {@link parseProfiles} of a file; only `known` if there is none. Throws {@link AgentsFileError} naming the file, also if it
 * exists but cannot be read.
 */
export async function readProfiles(file: string, known: AgentProfile[]): Promise<AgentProfile[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    if (code === "ENOENT") return known;
    throw new AgentsFileError(`${file} cannot be read (${code})`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new AgentsFileError(`${file} is not JSON: ${jsonProblem(error)}`);
  }
  const profiles = parseProfiles(json, known, file);
  await checkReadable(profiles, file, text);
  return profiles;
}

/** Why a text is not JSON, without the excerpt that V8 adds: the file holds variables, and so keys. */
function jsonProblem(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/, (?:\.\.\.)?".*is not valid JSON$/s, "");
}

/**
 * The file may not let agents read the whole disk, the data folder (which contains the file), anything in it, or a parent of it.
 */
async function checkReadable(profiles: AgentProfile[], file: string, text: string): Promise<void> {
  const dataDir = await realpath(dirname(file));
  const lines = text.split("\n");
  for (const { id, readable, mcpPrograms } of profiles) {
    const programs = mcpPrograms.flatMap(({ command }) => command.filter((word) => word.startsWith("/")));
    const paths = [
      ...readable.map((path) => ["readable", path] as const),
      ...programs.map((path) => ["mcp_servers", path] as const),
    ];
    for (const [field, path] of paths) {
      const real = await realpath(path).catch(() => resolve(path));
      if (!isWithin(dataDir, real) && !isWithin(real, dataDir)) continue;
      const given = JSON.stringify(path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path);
      const at = lines.findIndex((line) => line.includes(JSON.stringify(path)) || line.includes(given));
      // A built-in profile's own paths are not in the file.
      if (at < 0) continue;
      const why = isWithin(dataDir, real) ? "contains the data folder" : "is inside the data folder";
      throw new AgentsFileError(`${file}, line ${at + 1}: ${id}.${field}: ${path} ${why}, which no agent may read`);
    }
  }
}

/**
 * The profiles with the agents file applied: an object of id -> FileProfile. A known id changes that profile (env, modes, pass_env,
 * hosts and readable are added to its own); a new one needs a command and comes before the built-in agent without a model. A
 * command given as a string is split at white space; one with spaces in it is given as a list. Throws {@link AgentsFileError},
 * whose message begins with `name`.
 */
export function parseProfiles(json: unknown, known: AgentProfile[], name = "agents file"): AgentProfile[] {
  const parsed = AgentsFile.safeParse(json);
  if (!parsed.success) throw new AgentsFileError(`${name}: ${problemOf(parsed.error)}`);
  const changed = known.flatMap((profile) => {
    const change = parsed.data[profile.id];
    if (change === undefined) return [profile];
    return change.disabled === true ? [] : [changeProfile(profile, change)];
  });
  const added = Object.entries(parsed.data).flatMap(([id, change]) => {
    if (known.some((profile) => profile.id === id) || change.disabled === true) return [];
    if (change.command === undefined) throw new AgentsFileError(`${name}: ${id}.command: is needed for a new agent`);
    return [
      changeProfile({ ...defaultProfile(id, id), installHint: "Correct its command in the agents file." }, change),
    ];
  });
  const isPlain = (profile: AgentProfile) => !profile.hasModel;
  return [...changed.filter((profile) => !isPlain(profile)), ...added, ...changed.filter(isPlain)];
}

function changeProfile(profile: AgentProfile, change: z.infer<typeof FileProfile>): AgentProfile {
  return {
    ...profile,
    title: change.title ?? profile.title,
    command: change.command ?? profile.command,
    env: { ...profile.env, ...change.env },
    models: change.models ?? profile.models,
    passEnv: [...profile.passEnv, ...(change.pass_env ?? [])],
    modes: { ...profile.modes, ...change.modes },
    authMethod: change.auth_method === undefined ? profile.authMethod : change.auth_method,
    steering: change.steering === undefined ? profile.steering : change.steering,
    homeVariable: change.home_variable === undefined ? profile.homeVariable : change.home_variable,
    keys: change.keys?.map(({ base_url, ...key }) => ({ ...key, baseUrl: base_url })) ?? profile.keys,
    hosts: [...profile.hosts, ...(change.hosts ?? [])],
    signIn: change.sign_in?.map(userFile) ?? profile.signIn,
    settings: change.settings?.map(userFile) ?? profile.settings,
    isolation: change.isolation === undefined ? profile.isolation : change.isolation,
    mcpPrograms:
      change.mcp_servers === undefined
        ? profile.mcpPrograms
        : Object.entries(change.mcp_servers).map(([name, server]) => ({ name, ...server })),
    readable: [...profile.readable, ...(change.readable ?? []).map((path) => path.replace(/^~(?=\/)/, homedir()))],
  };
}

function userFile(path: string): UserFile {
  return { file: basename(path), folder: dirname(path).replace(/^~\/?/, ""), variable: null };
}

function problemOf(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.map(String).join(".") ?? "";
  return `${path === "" ? "" : `${path}: `}${issue === undefined ? "cannot be read" : reasonOf(issue)}`;
}

/** The innermost reason: for a key or for alternatives, zod's outer one only says that it is invalid. */
function reasonOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === "invalid_key" ? issue.issues : issue.code === "invalid_union" ? issue.errors.flat() : [];
  return inner.find(({ code }) => code !== "invalid_type")?.message ?? issue.message;
}
