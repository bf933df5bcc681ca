import { type ExpressionBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";

/** True where the organization has the run: parameters run, organization. What is kept by the run's id needs no join then. */
export function isVisible({ exists, selectFrom }: ExpressionBuilder<Schema, keyof Schema>) {
  return exists(
    selectFrom("runs").select(sql.lit(1).as("one")).where("runs.id", "=", 0).where("runs.organization_id", "=", 0),
  );
}
