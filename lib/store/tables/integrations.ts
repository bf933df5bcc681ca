import type { IntegrationType } from "#lib/contract/integrations/integration.ts";
import { blob, boolean, id, instant, integer, json, reference, table, text } from "./table.ts";

export const integrations = {
  /** An organization's connections. Secrets are encrypted (lib/secrets/seal.ts). */
  integrations: table({
    id: id(),
    organization_id: reference("organizations"),
    type: text<IntegrationType>(),
    base_url: text().orNull(),
    account: text().orNull(),
    account_kind: text().orNull(),
    account_id: integer().orNull(),
    installation_id: integer().orNull(),
    secret_sealed: text().orNull(),
    hook_secret_sealed: text().orNull(),
    active: boolean(),
    checked_at: instant().orNull(),
    error: text().orNull(),
    error_repository: text().orNull(),
    settings: json(),
    /** Counts the changes, so that a check of an older secret does not apply to a newer one. */
    revision: integer(),
    created_at: instant(),
    /** When it was last connected or changed. */
    changed_at: instant().default(0),
  }).unique("organization_id", "type"),
  /** Events received from connected services; the body is kept only until they are processed. */
  host_events: table({
    id: id(),
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    delivery_id: text(),
    kind: text(),
    /** Identifies the message, whichever delivery reported it; null if there is none. */
    message_key: text().orNull(),
    state: text<"waiting" | "done" | "ignored" | "failed">(),
    note: text(),
    body: text(),
    tries: integer(),
    due_at: instant(),
    /** 1: an engine has claimed it, until due_at. */
    claimed: boolean().default(0),
    created_at: instant(),
  })
    .unique("integration_id", "delivery_id")
    .unique("integration_id", "message_key")
    .index("host_events_due", "(due_at, id) where state = 'waiting'"),
  /** The run of each conversation. */
  conversations: table({
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    key: text(),
    run_id: reference("runs", "cascade"),
    created_at: instant(),
  })
    .key("integration_id", "key")
    .index("conversations_by_run", "(run_id)"),
  /** Replies to send in conversations: a text, or the answer of a turn once it has ended. */
  replies: table({
    id: id(),
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    key: text(),
    place: text(),
    text: text().orNull(),
    run_id: reference("runs", "cascade").orNull(),
    turn: integer().orNull(),
    state: text<"waiting" | "sent" | "given_up">(),
    note: text().orNull(),
    remote_id: text().orNull(),
    tries: integer(),
    due_at: instant(),
    /** 1: an engine has claimed it, until due_at. */
    claimed: boolean().default(0),
    created_at: instant(),
  })
    .index("replies_due", "(due_at, id) where state = 'waiting'")
    .index("replies_by_run", "(run_id)"),
  /** Announcements made in channels. */
  announcements: table({
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    run_id: reference("runs", "cascade"),
    moment: text(),
    created_at: instant(),
  })
    .key("integration_id", "run_id", "moment")
    .index("announcements_by_run", "(run_id)"),
  /** Which member a person in a connected service is. */
  member_links: table({
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    external_id: text(),
    user_id: reference("users"),
    created_at: instant(),
  }).key("integration_id", "external_id"),
  /** Codes that link whoever sends them, by their SHA-256. */
  link_codes: table({
    hash: blob(),
    organization_id: reference("organizations"),
    integration_id: reference("integrations", "cascade"),
    user_id: reference("users"),
    expires_at: instant(),
  }).key("hash"),
};
