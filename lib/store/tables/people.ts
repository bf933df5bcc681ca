import type { AuditAct, AuditActor } from "#lib/contract/people/audit.ts";
import type { Role } from "#lib/contract/people/organization.ts";
import type { SignInWay } from "#lib/contract/people/person.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";
import { blob, boolean, id, instant, integer, json, reference, table, text } from "./table.ts";

export const people = {
  organizations: table({
    id: id(),
    name: text(),
    created_at: instant(),
    /** See organization-settings.ts. */
    settings: json().default("{}"),
  }),
  users: table({
    id: id(),
    /** In lower case, unique if set. */
    email: text().orNull(),
    full_name: text().orNull(),
    created_at: instant(),
    /** Hash with its parameters; null if none is set. */
    password: text().orNull(),
    /** Their rules for agents; null for none. */
    rules: text().orNull(),
    /** Their name on GitHub; null if it is not set. */
    github_username: text().orNull(),
    /** Digits; null if GitHub was not asked. */
    github_user_id: text().orNull(),
    /** When one of their sessions last made a request, to the minute. */
    last_seen_at: instant().orNull(),
    /** Whether they may create organizations. */
    is_instance_owner: boolean().default(0),
  }).uniqueIndex("users_by_email", "(email) where email is not null"),
  memberships: table({
    organization_id: reference("organizations"),
    user_id: reference("users"),
    role: text<Role>(),
    created_at: instant(),
  })
    .clusteredBy("organization_id", "user_id")
    .index("memberships_by_user", "(user_id, organization_id)"),
  /** Memberships given by groups of a provider. A row without its membership: it was ended by hand, whoever had given it. */
  group_memberships: table({ organization_id: reference("organizations"), user_id: reference("users") }).clusteredBy(
    "organization_id",
    "user_id",
  ),
  /** Identities of people at OpenID Connect providers. */
  identities: table({
    issuer: text(),
    subject: text(),
    user_id: reference("users"),
    created_at: instant(),
  })
    .clusteredBy("issuer", "subject")
    .index("identities_by_user", "(user_id)"),
  /** Sign-ins by OpenID Connect in progress. */
  sign_in_attempts: table({ hash: blob(), expires_at: instant() })
    .clusteredBy("hash")
    .index("sign_in_attempts_by_end", "(expires_at)"),
  sign_in_links: table({
    hash: blob(),
    user_id: reference("users"),
    created_at: instant(),
    expires_at: instant(),
    used_at: instant().orNull(),
  }).clusteredBy("hash"),
  sessions: table({
    hash: blob(),
    user_id: reference("users"),
    created_at: instant(),
    expires_at: instant(),
    way: text<SignInWay>(),
    user_agent: text().orNull(),
    last_seen_at: instant().orNull(),
    /** The one the person chose to see; null for their first. */
    organization_id: reference("organizations").orNull(),
  })
    .clusteredBy("hash")
    .index("sessions_by_user", "(user_id)"),
  invitations: table({
    id: id(),
    organization_id: reference("organizations"),
    role: text<Role>(),
    note: text().orNull(),
    hint: text(),
    hash: blob().unique(),
    /** Id of the person who created it. */
    user_id: reference("users"),
    created_at: instant(),
    expires_at: instant(),
    accepted_at: instant().orNull(),
    accepted_by: reference("users").orNull(),
    withdrawn_at: instant().orNull(),
  }).index("invitations_by_organization", "(organization_id, id)"),
  /** Links that set a new password; a replaced one is deleted. */
  password_resets: table({
    id: id(),
    /** The organization it was created in. */
    organization_id: reference("organizations"),
    user_id: reference("users"),
    created_by: reference("users"),
    hash: blob().unique(),
    created_at: instant(),
    expires_at: instant(),
    used_at: instant().orNull(),
  }).index("password_resets_by_user", "(user_id)"),
  tokens: table({
    id: id(),
    organization_id: reference("organizations"),
    user_id: reference("users"),
    name: text(),
    role: text<Role>(),
    /** JSON array. */
    scopes: json(),
    status_style: text<StatusStyle>(),
    hint: text(),
    hash: blob().unique(),
    created_at: instant(),
    expires_at: instant().orNull(),
    last_used_at: instant().orNull(),
    revoked_at: instant().orNull(),
  })
    .index("tokens_by_organization", "(organization_id, id)")
    .index("tokens_by_user", "(user_id, organization_id)"),
  /** Append-only: triggers refuse to change or delete a row. */
  audit: table({
    id: id(),
    organization_id: reference("organizations"),
    created_at: instant(),
    act: text<AuditAct>(),
    actor: text<AuditActor>(),
    user_id: reference("users").orNull(),
    token_id: reference("tokens").orNull(),
    object_type: text().orNull(),
    object_id: integer().orNull(),
    object_name: text().orNull(),
    address: text().orNull(),
    user_agent: text().orNull(),
    details: json(),
  })
    .index("audit_by_organization", "(organization_id, id)")
    .index("audit_by_act", "(organization_id, act, id)")
    .index("audit_by_user", "(organization_id, user_id, act, created_at)"),
  idempotency_keys: table({
    caller: text(),
    operation: text(),
    key: text(),
    /** SHA-512/256 of the request. */
    digest: blob(),
    status: integer(),
    body: text(),
    created_at: instant(),
    expires_at: instant(),
  })
    .key("caller", "operation", "key")
    .index("idempotency_keys_by_end", "(expires_at)"),
};
