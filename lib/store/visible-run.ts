/** The values of {@link visibleRun}. */
export type VisibleRun = { run: number; organization: number };

/** SQL: true where the organization has the run. What is kept by the run's id needs no join then. */
export const visibleRun = "exists (select 1 from runs where runs.id = :run and runs.organization_id = :organization)";
