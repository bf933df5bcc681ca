import type { NetworkMode } from "#lib/contract/repositories/network.ts";
import { boolean, id, instant, integer, json, reference, table, text } from "./table.ts";

export const repositories = {
  repositories: table({
    id: id(),
    organization_id: reference("organizations"),
    name: text(),
    full_name: text(),
    description: text().orNull(),
    source: text(),
    default_branch: text().orNull(),
    created_at: instant(),
    /** The repository's network mode; null: that of the organization. */
    network: text<NetworkMode>().orNull(),
    /** 1: agents of all runs may reach the host of its source, because an admin added it. */
    opens_host: boolean().default(1),
    /** 1: new checkouts get the files of its submodules. */
    fetch_submodules: boolean().default(0),
  }).unique("organization_id", "source"),
  /** A repository's check settings; no row: the defaults. */
  check_suites: table({
    repository_id: reference("repositories", "cascade"),
    organization_id: reference("organizations"),
    /** JSON of the contract's CheckSuiteSettings. */
    settings: json(),
    updated_at: instant(),
  }).key("repository_id"),
  setups: table({
    repository_id: reference("repositories", "cascade"),
    version: integer(),
    /** JSON of the contract's SetupCommands; null if none are accepted. */
    commands: json().orNull(),
    accepted_by: reference("users").orNull(),
    accepted_at: instant().orNull(),
    /** Result of the accepted version in the last run that used it. */
    used_run_id: integer().orNull(),
    used_at: instant().orNull(),
    used_worked: boolean().orNull(),
    /** JSON of the contract's Proposal. */
    proposal: json().orNull(),
    proposal_run_id: integer().orNull(),
    proposed_at: instant().orNull(),
    proposal_open: boolean(),
    /** Generate runs up to this one have been decided on. */
    decided_run_id: integer(),
  }).key("repository_id"),
  /** Rules for hosts that agents may reach; `repository_id` null: the organization's. Port null: 80 and 443. */
  egress_rules: table({
    id: id(),
    organization_id: reference("organizations"),
    repository_id: reference("repositories", "cascade").orNull(),
    host: text(),
    port: integer().orNull(),
  }).index("egress_rules_by_place", "(organization_id, repository_id)"),
  agent_keys: table({
    id: id(),
    organization_id: reference("organizations"),
    repository_id: reference("repositories", "cascade").orNull(),
    variable: text(),
    sealed: text(),
    changed_at: instant(),
  }).uniqueIndex("agent_keys_by_place", "(organization_id, variable, coalesce(repository_id, 0))"),
  /** MCP servers that the agents of an organization are given. Headers are sealed. */
  mcp_servers: table({
    id: id(),
    organization_id: reference("organizations"),
    name: text(),
    url: text(),
    /** JSON array. */
    header_names: json(),
    /** JSON list of ids; null: every run is given it. */
    repository_ids: json().orNull(),
    headers_sealed: text().orNull(),
    active: boolean(),
    checked_at: instant().orNull(),
    error: text().orNull(),
    server: text().orNull(),
    tools: integer().orNull(),
    created_at: instant(),
  }).unique("organization_id", "name"),
};
