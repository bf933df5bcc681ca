import type { tables } from "./tables.ts";

type Tables = typeof tables;

/** The tables as Kysely knows them. */
export type Schema = {
  [Name in keyof Tables]: {
    [Column in keyof Tables[Name]["columns"]]: Tables[Name]["columns"][Column] extends { value: infer Value }
      ? Value
      : never;
  };
};
