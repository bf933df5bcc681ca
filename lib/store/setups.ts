import { type Kysely, sql, type Transaction } from "kysely";
import { isEnd, type RunStatus } from "#lib/contract/run-status.ts";
import { Proposal, SetupCommands, type SetupStatus } from "#lib/contract/setup.ts";
import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";
import { holdRun } from "./held-run.ts";
import { instantOf, type Now } from "./instant.ts";
import type { Schema } from "./schema.ts";
import type { Lease } from "./store.ts";

/** The setup that somebody accepted. */
export type AcceptedSetup = {
  commands: SetupCommands;
  acceptedBy: { id: number; name: string | null };
  acceptedAt: string;
};

/** All that is known of a repository's setup. `version` counts its changes, 0 where there was none. */
export type SetupRow = {
  repositoryId: number;
  status: SetupStatus;
  version: number;
  accepted: AcceptedSetup | null;
  /** How the accepted version did in the last run that used it. */
  lastUse: { runId: number; worked: boolean; at: string } | null;
  /** The newest generate run. */
  generate: { runId: number; status: RunStatus } | null;
  proposal: { runId: number; createdAt: string; open: boolean; proposal: Proposal } | null;
};

/** Why a change was not made: it was meant for another version than the one that stands. */
export type VersionConflict = { conflict: number };

export type SetupStore = {
  /** Null where the repository is not visible. */
  find(access: Access, repositoryId: number): Promise<SetupRow | null>;
  /**
   * Replaces the accepted commands, or removes them (`commands` null); the proposal counts as decided. `basedOn` null takes
   * any version. Null where the repository is not visible.
   */
  change(
    access: Access & { userId: number },
    repositoryId: number,
    commands: SetupCommands | null,
    basedOn: number | null,
  ): Promise<SetupRow | VersionConflict | null>;
  /** Forgets the proposal. Null where the repository is not visible. */
  discardProposal(access: Access, repositoryId: number): Promise<SetupRow | null>;

  /** What a run of this repository uses; null where nothing is accepted. For the engine. */
  findAccepted(repositoryId: number): Promise<{ version: number; commands: SetupCommands } | null>;
  /** Keeps what a generate run proposes, in place of what was proposed before. Throws LeaseLostError. */
  keepProposal(lease: Lease, repositoryId: number, proposal: Proposal): Promise<void>;
  /** Notes how a version did in a run; one that is no longer the accepted version is left out. Throws LeaseLostError. */
  noteUse(lease: Lease, repositoryId: number, version: number, worked: boolean): Promise<void>;
};

/** The setups of repositories. */
export function setupStore({ writer, reader }: Dialect, now: Now): SetupStore {
  return {
    find: ({ organizationId }, repositoryId) => findSetup(reader, organizationId, repositoryId),

    change({ organizationId, userId }, repositoryId, commands, basedOn) {
      return writer.transaction().execute(async (trx) => {
        const before = await findSetup(trx, organizationId, repositoryId);
        if (before === null) return null;
        if (basedOn !== null && basedOn !== before.version) return { conflict: before.version };
        await writeRow(trx, repositoryId, {
          version: before.version + 1,
          commands: commands === null ? null : JSON.stringify(commands),
          accepted_by: commands === null ? null : userId,
          accepted_at: commands === null ? null : now(),
          used_run_id: null,
          used_at: null,
          used_worked: null,
          proposal_open: 0,
          ...decided(before),
        });
        return findSetup(trx, organizationId, repositoryId);
      });
    },

    discardProposal({ organizationId }, repositoryId) {
      return writer.transaction().execute(async (trx) => {
        const before = await findSetup(trx, organizationId, repositoryId);
        if (before === null) return null;
        await writeRow(trx, repositoryId, {
          proposal: null,
          proposal_run_id: null,
          proposed_at: null,
          proposal_open: 0,
          ...decided(before),
        });
        return findSetup(trx, organizationId, repositoryId);
      });
    },

    async findAccepted(repositoryId) {
      const row = await reader
        .selectFrom("setups")
        .select(["version", "commands"])
        .where("repository_id", "=", repositoryId)
        .executeTakeFirst();
      if (row === undefined || row.commands === null) return null;
      return { version: row.version, commands: SetupCommands.parse(JSON.parse(row.commands)) };
    },

    async keepProposal(lease, repositoryId, proposal) {
      await writer.transaction().execute(async (trx) => {
        await holdRun(trx, lease);
        await writeRow(trx, repositoryId, {
          proposal: JSON.stringify(proposal),
          proposal_run_id: lease.runId,
          proposed_at: now(),
          proposal_open: proposal.commands.length > 0 ? 1 : 0,
        });
      });
    },

    async noteUse(lease, repositoryId, version, worked) {
      await writer.transaction().execute(async (trx) => {
        await holdRun(trx, lease);
        await trx
          .updateTable("setups")
          .set({ used_run_id: lease.runId, used_at: now(), used_worked: worked ? 1 : 0 })
          .where("repository_id", "=", repositoryId)
          .where("version", "=", version)
          .execute();
      });
    },
  };
}

/** A generate run that has ended was seen by whoever decides; one that still works is decided on later. */
function decided({ generate }: SetupRow): { decided_run_id?: number } {
  return generate !== null && isEnd(generate.status) ? { decided_run_id: generate.runId } : {};
}

async function writeRow(
  trx: Transaction<Schema>,
  repositoryId: number,
  changes: Partial<Omit<Schema["setups"], "repository_id">>,
): Promise<void> {
  await trx
    .insertInto("setups")
    .values({ repository_id: repositoryId, version: 0, proposal_open: 0, decided_run_id: 0, ...changes })
    .onConflict((conflict) => conflict.column("repository_id").doUpdateSet(changes))
    .execute();
}

/** The newest generate run of each repository: a table `generate` beside `repositories`. */
export function newestGenerateRun() {
  return sql<number>`(select max(id) from runs where repository_id = repositories.id and source_type = 'SETUP_COMMANDS')`;
}

async function findSetup(
  database: Kysely<Schema>,
  organizationId: number,
  repositoryId: number,
): Promise<SetupRow | null> {
  const row = await database
    .selectFrom("repositories")
    .leftJoin("setups", "setups.repository_id", "repositories.id")
    .leftJoin("users", "users.id", "setups.accepted_by")
    .leftJoin("runs as generate", (join) => join.on("generate.id", "=", newestGenerateRun()))
    .select([
      "repositories.id as repository_id",
      "setups.version",
      "setups.commands",
      "setups.accepted_by",
      "setups.accepted_at",
      "users.full_name",
      "setups.used_run_id",
      "setups.used_at",
      "setups.used_worked",
      "setups.proposal",
      "setups.proposal_run_id",
      "setups.proposed_at",
      "setups.proposal_open",
      "setups.decided_run_id",
      "generate.id as generate_id",
      "generate.status as generate_status",
    ])
    .where("repositories.id", "=", repositoryId)
    .where("repositories.organization_id", "=", organizationId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { used_run_id, used_at, generate_id, generate_status, proposal, proposal_run_id, proposed_at } = row;
  return {
    repositoryId: row.repository_id,
    status: setupStatusOf(row),
    version: row.version ?? 0,
    accepted:
      row.commands === null || row.accepted_by === null || row.accepted_at === null
        ? null
        : {
            commands: SetupCommands.parse(JSON.parse(row.commands)),
            acceptedBy: { id: row.accepted_by, name: row.full_name },
            acceptedAt: instantOf(row.accepted_at),
          },
    lastUse:
      used_run_id === null || used_at === null
        ? null
        : { runId: used_run_id, worked: row.used_worked === 1, at: instantOf(used_at) },
    generate: generate_id === null || generate_status === null ? null : { runId: generate_id, status: generate_status },
    proposal:
      proposal === null || proposal_run_id === null || proposed_at === null
        ? null
        : {
            runId: proposal_run_id,
            createdAt: instantOf(proposed_at),
            open: row.proposal_open === 1,
            proposal: Proposal.parse(JSON.parse(proposal)),
          },
  };
}

/** Columns from which the status follows; null where the repository has no row of its own or no generate run. */
type StatusColumns = {
  commands: string | null;
  used_worked: number | null;
  proposal: string | null;
  proposal_run_id: number | null;
  proposal_open: number | null;
  decided_run_id: number | null;
  generate_id: number | null;
  generate_status: RunStatus | null;
};

/**
 * What happened last decides: a generate run that failed, a proposal that waits for a decision, the use of what was
 * accepted. A generate run counts as failed too where none of its commands worked; one that was cancelled counts as none.
 */
export function setupStatusOf(row: StatusColumns): SetupStatus {
  const { generate_id: id, generate_status: end } = row;
  const isNew = id !== null && id > (row.decided_run_id ?? 0) && id !== row.proposal_run_id;
  if (isNew && end !== null && isEnd(end) && end !== "completed" && end !== "cancelled") return "failed";
  if (row.proposal_open === 1 && row.proposal !== null) {
    const { commands } = Proposal.parse(JSON.parse(row.proposal));
    return commands.some(({ outcome }) => outcome !== "failed") ? "proposed" : "failed";
  }
  if (row.commands === null) return "none";
  return row.used_worked === 0 ? "failed" : "ready";
}
