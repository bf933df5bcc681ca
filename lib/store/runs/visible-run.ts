/** Values of {@link visibleRun}. */
export type VisibleRun = { run: number; organization: number };

/** SQL: true if the run belongs to the organization. Saves a join for rows stored under the run's id. */
export const visibleRun = "exists (select 1 from runs where runs.id = :run and runs.organization_id = :organization)";
