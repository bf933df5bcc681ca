import { z } from "zod";
import { defineOperation, Id, OrgParams, RepositoryParams, RunParams } from "#lib/contract/define-operation.ts";
import { FilledText, Instant } from "#lib/contract/text.ts";

/** What a run's agent may reach: nothing, the allowed hosts, or every public host. */
export const NetworkMode = z.enum(["off", "allowed", "open"]);
export type NetworkMode = z.infer<typeof NetworkMode>;

/**
 * Why a connection was refused: the run has no network, the host or its port is not allowed, the address is private or a
 * cloud metadata address, or the key is not this run's.
 */
export const DenialRule = z.enum([
  "network_off",
  "host_not_allowed",
  "port_not_allowed",
  "private_address",
  "metadata_address",
  "key_unknown",
]);
export type DenialRule = z.infer<typeof DenialRule>;

/** Most rules of an organization, and of a repository. */
export const networkRulesMax = 500;

/** A host that agents may reach. */
export const NetworkRule = z.object({
  host: z.string().describe("A host name, `*.` and a host name for all hosts below it, or a public IP address"),
  port: z.int().nullable().describe("Null: 80 and 443"),
});
export type NetworkRule = z.infer<typeof NetworkRule>;

const GivenRules = z
  .array(
    z.object({
      host: FilledText(255).describe(
        "A host name, `*.` and a host name for all hosts below it, or a public IP address",
      ),
      port: z.int().min(1).max(65_535).nullish().describe("Null or absent: 80 and 443"),
    }),
  )
  .max(networkRulesMax, `must have at most ${networkRulesMax} rules`);

/** Network settings of an organization's agents. */
export const Network = z.object({
  network: NetworkMode.describe(
    "off: only the service that a stored key is for; allowed: the hosts of the rules and the built-in ones; open: every public host",
  ),
  rules: z.array(NetworkRule).describe("Hosts that the agents of every run may reach"),
  built_in: z
    .array(NetworkRule)
    .describe(
      "Hosts that are allowed without a rule: package registries and the hosts of the repositories. Connected MCP servers and the hosts of an agent's own models are allowed too",
    ),
});
z.globalRegistry.add(Network, {
  example: { rules: [{ host: "*.example.com", port: 443 }], built_in: [{ host: "registry.npmjs.org", port: 443 }] },
});
export type Network = z.infer<typeof Network>;

/** A repository's own network settings, and those in force for its runs. */
export const RepositoryNetwork = z.object({
  network: NetworkMode.nullable().describe("Overrides the organization's mode; null: the organization's applies"),
  in_force: NetworkMode.describe("The mode that applies to runs on this repository"),
  rules: z.array(NetworkRule).describe("Hosts that its runs may reach in addition to the organization's"),
});
z.globalRegistry.add(RepositoryNetwork, { example: { rules: [{ host: "packages.example.com", port: null }] } });
export type RepositoryNetwork = z.infer<typeof RepositoryNetwork>;

const hasChange = (changes: object) => Object.values(changes).some((value) => value !== undefined);
const needsChange = "must have at least one of network and rules";

/** Request body of `PUT network`: absent fields stay as they are, rules replace all existing ones. */
export const PutNetwork = z
  .object({
    network: NetworkMode.optional().describe("off, allowed or open"),
    rules: GivenRules.optional().describe("Replace all rules of the organization"),
  })
  .refine(hasChange, needsChange);
z.globalRegistry.add(PutNetwork, { example: { network: "allowed", rules: [{ host: "*.example.com", port: 443 }] } });
export type PutNetwork = z.infer<typeof PutNetwork>;

/** Request body of `PUT repos/{repo_id}/network`: absent fields stay as they are, rules replace all existing ones. */
export const PutRepositoryNetwork = z
  .object({
    network: NetworkMode.nullable().optional().describe("off, allowed or open; null for the organization's"),
    rules: GivenRules.optional().describe("Replace all rules of the repository"),
  })
  .refine(hasChange, needsChange);
z.globalRegistry.add(PutRepositoryNetwork, { example: { rules: [{ host: "packages.example.com" }] } });
export type PutRepositoryNetwork = z.infer<typeof PutRepositoryNetwork>;

const needsPart = "must have at least one of network, add and remove";
const partsOfChange = {
  add: GivenRules.optional()
    .describe("Rules to add to the current ones")
    .meta({ example: [{ host: "telemetry.example.com" }] }),
  remove: GivenRules.optional().describe("Rules to remove; rules that do not exist are ignored"),
};

/** Request body of `PATCH network`. */
export const ChangeNetwork = z
  .object({ network: NetworkMode.optional().describe("off, allowed or open"), ...partsOfChange })
  .refine(hasChange, needsPart);
export type ChangeNetwork = z.infer<typeof ChangeNetwork>;

/** Request body of `PATCH repos/{repo_id}/network`. */
export const ChangeRepositoryNetwork = z
  .object({
    network: NetworkMode.nullable().optional().describe("off, allowed or open; null for the organization's"),
    ...partsOfChange,
  })
  .refine(hasChange, needsPart);
export type ChangeRepositoryNetwork = z.infer<typeof ChangeRepositoryNetwork>;

/** A run's connections to one host that were refused for one reason. */
export const Denial = z.object({
  host: z
    .string()
    .describe("Host and port that the agent tried to reach")
    .meta({ example: "telemetry.example.com:443" }),
  rule: DenialRule.describe(
    "Why it was refused: the run has no network, the host or port is not allowed, the address is private or a cloud metadata address, or the key is not one of this run's",
  ),
  count: z.int().describe("How many times it tried").meta({ example: 17 }),
  allowed: z
    .boolean()
    .describe("Whether the current rules would allow it in a turn that begins now")
    .meta({ example: false }),
  at: Instant.describe("When it was last tried"),
});
export type Denial = z.infer<typeof Denial>;

/** Connections of a repository's runs to one host that were refused for one reason. */
export const RecentDenial = Denial.extend({
  runs: z.int().describe("How many runs tried"),
  agent_run_id: z.int().describe("The newest of these runs"),
  repository_id: z.int().nullable().describe("The repository of these runs; null if they have none"),
  repo_full_name: z.string().nullable().describe("Its name").meta({ example: "acme/shop" }),
});
export type RecentDenial = z.infer<typeof RecentDenial>;

/** How many days back `GET network/denials` looks, and its maximum number of items. */
export const recentDenials = { days: 7, itemsMax: 200 } as const;

export const getNetwork = defineOperation({
  id: "getNetwork",
  summary: "Get what agents may reach",
  description: "Applies to agents behind the wall; on the leash an agent has the machine's network.",
  scope: "org:read",
  params: OrgParams,
  result: Network,
});

export const putNetwork = defineOperation({
  id: "putNetwork",
  summary: "Set what agents may reach",
  description:
    "Fields left out stay as they are. Private addresses are blocked, except those in `ERRAND_EGRESS_PRIVATE`. Turns in progress keep the network they started with.",
  scope: "org:admin",
  params: OrgParams,
  body: PutNetwork,
  result: Network,
  ifMatch: true,
  tagged: true,
});

export const changeNetwork = defineOperation({
  id: "changeNetwork",
  summary: "Allow hosts, or stop allowing them",
  description:
    "Changes single rules and keeps all others, so that two people editing at the same time do not overwrite each other. A rule that is in both `add` and `remove` ends up allowed.",
  scope: "org:admin",
  params: OrgParams,
  body: ChangeNetwork,
  result: Network.meta({
    example: {
      ...Object(Network.meta()?.example),
      rules: [
        { host: "*.example.com", port: 443 },
        { host: "telemetry.example.com", port: null },
      ],
    },
  }),
  ifMatch: true,
  tagged: true,
});

export const listRecentDenials = defineOperation({
  id: "listRecentDenials",
  summary: "List the connections that were refused in the last week",
  description: `Grouped by host, reason and repository, latest first; those of the last ${recentDenials.days} days, at most ${recentDenials.itemsMax}.`,
  scope: "runs:read",
  params: OrgParams,
  query: z.object({ repo_id: Id.optional().describe("Only of runs on this repository") }),
  result: z.object({ items: z.array(RecentDenial).describe("Refused connections, latest first") }),
});

export const getRepositoryNetwork = defineOperation({
  id: "getRepositoryNetwork",
  summary: "Get what the agents of a repository's runs may reach",
  scope: "repos:read",
  params: RepositoryParams,
  result: RepositoryNetwork,
});

export const putRepositoryNetwork = defineOperation({
  id: "putRepositoryNetwork",
  summary: "Set what the agents of a repository's runs may reach",
  description: "Fields left out stay as they are. Turns in progress keep the network they started with.",
  scope: "org:admin",
  params: RepositoryParams,
  body: PutRepositoryNetwork,
  result: RepositoryNetwork,
  ifMatch: true,
  tagged: true,
});

export const changeRepositoryNetwork = defineOperation({
  id: "changeRepositoryNetwork",
  summary: "Allow hosts for a repository's runs, or stop allowing them",
  description:
    "Changes single rules and keeps all others, so that two people editing at the same time do not overwrite each other. A rule that is in both `add` and `remove` ends up allowed.",
  scope: "org:admin",
  params: RepositoryParams,
  body: ChangeRepositoryNetwork,
  result: RepositoryNetwork.meta({ example: { rules: [{ host: "telemetry.example.com", port: null }] } }),
  ifMatch: true,
  tagged: true,
});

export const listDenials = defineOperation({
  id: "listDenials",
  summary: "List the connections of a run that were refused",
  description:
    "Grouped by host and reason, latest first; at most 200 are kept. An admin can allow a host for its repository.",
  scope: "runs:read",
  params: RunParams,
  result: z.object({ items: z.array(Denial).describe("Refused connections, latest first") }),
});
