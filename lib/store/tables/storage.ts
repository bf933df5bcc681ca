import { boolean, id, instant, integer, machine, reference, table, text } from "./table.ts";

export const storage = {
  /** Prepared checkouts, kept for later runs under `data/prepared/<repository_id>/<key>`. */
  prepared: table({
    repository_id: reference("repositories", "cascade"),
    key: text(),
    machine_id: machine(),
    state: text<"building" | "ready" | "failed">(),
    /** 1: no run begins with it any more. */
    stale: boolean(),
    /** The run whose setup it comes from. */
    run_id: reference("runs", "cascade"),
    bytes: integer(),
    files: integer(),
    /** Why it could not be kept. */
    error: text().orNull(),
    made_at: instant(),
    used_at: instant(),
    expires_at: instant(),
  }).clusteredBy("repository_id", "key", "machine_id"),
  /** Removals that an engine is to do: see removals.ts. */
  pending_deletions: table({
    id: id(),
    kind: text<"run" | "repository">(),
    run_id: integer().orNull(),
    repository_id: integer().orNull(),
    created_at: instant(),
  }),
  /** Disk use, as measured: see storage.ts. `object_id` is a run's or a repository's. */
  disk_usage: table({
    kind: text<"run" | "files" | "mirror">(),
    object_id: integer(),
    machine_id: machine(),
    organization_id: reference("organizations"),
    bytes: integer(),
    measured_at: instant(),
  })
    .clusteredBy("kind", "object_id", "machine_id")
    .index("disk_usage_by_organization", "(organization_id, measured_at)"),
  high_water: table({ id: integer(), store: text(), count: integer() }).key("id").single(),
};
