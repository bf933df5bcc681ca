import { type Kysely, sql, type Transaction } from "kysely";
import { Proposal, SetupCommands, type SetupStatus } from "#lib/contract/repositories/setup.ts";
import { isEnd, type RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { requireLease } from "#lib/store/runs/leased-run.ts";
import type { Lease } from "#lib/store/runs/queue-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { outdate, preparedState, preparedStateColumn } from "#lib/store/storage/prepared.ts";

/** The accepted setup. */
export type AcceptedSetup = {
  commands: SetupCommands;
  acceptedBy: { id: number; name: string | null };
  acceptedAt: string;
};

/** A repository's setup. `version` counts its changes, 0 if there was none. */
export type SetupRow = {
  repositoryId: number;
  status: SetupStatus;
  version: number;
  accepted: AcceptedSetup | null;
  /** Result of the accepted version in the last run that used it. */
  lastUse: { runId: number; worked: boolean; at: string } | null;
  /** The newest generate run. */
  generate: { runId: number; status: RunStatus } | null;
  proposal: { runId: number; createdAt: string; open: boolean; proposal: Proposal } | null;
};

/** Why a change was refused: it was based on another version than the current one. */
export type VersionConflict = { conflict: number };

/** Setups of repositories. */
export function setupStore({ writer, reader }: Dialect, now: Now) {
  return {
    /** Null if the repository is not visible. */
    find: ({ organizationId }: Access, repositoryId: number): Promise<SetupRow | null> =>
      findSetup(reader, organizationId, repositoryId, now()),

    /**
     * Replaces the accepted commands, or removes them (`commands` null); the proposal counts as decided. `basedOn` null accepts
     * any version. Null if the repository is not visible.
     */
    change(
      { organizationId, userId }: Access & { userId: number },
      repositoryId: number,
      commands: SetupCommands | null,
      basedOn: number | null,
    ): Promise<SetupRow | VersionConflict | null> {
      return writer.transaction().execute(async (trx) => {
        const before = await findSetup(trx, organizationId, repositoryId, now());
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
        await outdate(trx, repositoryId);
        return findSetup(trx, organizationId, repositoryId, now());
      });
    },

    /** Discards the proposal. Null if the repository is not visible. */
    discardProposal({ organizationId }: Access, repositoryId: number): Promise<SetupRow | null> {
      return writer.transaction().execute(async (trx) => {
        const before = await findSetup(trx, organizationId, repositoryId, now());
        if (before === null) return null;
        await writeRow(trx, repositoryId, {
          proposal: null,
          proposal_run_id: null,
          proposed_at: null,
          proposal_open: 0,
          ...decided(before),
        });
        return findSetup(trx, organizationId, repositoryId, now());
      });
    },

    /** The setup that runs of this repository use; null if nothing is accepted. For the engine. */
    async findAccepted(repositoryId: number): Promise<{ version: number; commands: SetupCommands } | null> {
      const row = await reader
        .selectFrom("setups")
        .select(["version", "commands"])
        .where("repository_id", "=", repositoryId)
        .executeTakeFirst();
      if (row === undefined || row.commands === null) return null;
      return { version: row.version, commands: SetupCommands.parse(JSON.parse(row.commands)) };
    },

    /** Stores a generate run's proposal in place of any earlier one. Throws LeaseLostError. */
    async keepProposal(lease: Lease, repositoryId: number, proposal: Proposal): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
        await writeRow(trx, repositoryId, {
          proposal: JSON.stringify(proposal),
          proposal_run_id: lease.runId,
          proposed_at: now(),
          proposal_open: proposal.commands.length > 0 ? 1 : 0,
        });
      });
    },

    /** Records the result of a version in a run; ignored if it is no longer the accepted version. Throws LeaseLostError. */
    async noteUse(lease: Lease, repositoryId: number, version: number, worked: boolean): Promise<void> {
      await writer.transaction().execute(async (trx) => {
        await requireLease(trx, lease);
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

/** The person who decides has seen the generate runs that have ended; one in progress is decided on later. */
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

/** SQL: id of the newest generate run of a query's repository; null if there is none. */
export function newestGenerateRun() {
  return sql<number>`(select max(id) from runs where repository_id = repositories.id and source_type = 'SETUP_COMMANDS')`;
}

async function findSetup(
  database: Kysely<Schema>,
  organizationId: number,
  repositoryId: number,
  now: number,
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
      preparedStateColumn(now).as("prepared_state"),
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

/** Columns that determine the status; null if the repository has no row or no generate run. */
type StatusColumns = {
  commands: string | null;
  used_worked: number | null;
  proposal: string | null;
  proposal_run_id: number | null;
  proposal_open: number | null;
  decided_run_id: number | null;
  generate_id: number | null;
  generate_status: RunStatus | null;
  /** See preparedStateColumn. */
  prepared_state: number | null;
};

/**
 * The latest event decides: a failed generate run, a proposal awaiting a decision, the use of the accepted setup. A generate
 * run also counts as failed if none of its commands worked; a cancelled one does not count. A working setup is `building` while a
 * run stores a prepared checkout, and `stale` when all prepared checkouts are: the next run makes a new one.
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
  if (row.used_worked === 0) return "failed";
  if (row.prepared_state === preparedState.building) return "building";
  return row.prepared_state === preparedState.outdated ? "stale" : "ready";
}
