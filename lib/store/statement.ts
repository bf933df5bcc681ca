import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";

/** Types of columns and statement values. */
export type Value = number | string | Uint8Array | null;
export type Values = Readonly<Record<string, Value>>;

/**
 * A prepared statement with named values: for the reads and writes of every request, which cost more to build than to run.
 * `Given` is its values, `Row` its result.
 */
export type Statement<Given extends Values, Row> = {
  /** With question marks for the values. */
  readonly text: string;
  /** Names of the values in the order of the question marks. */
  readonly names: readonly (keyof Given & string)[];
  readonly query: CompiledQuery<Row>;
};

const namePattern = /:([a-z]\w*)/gi;

/**
 * A statement from SQL in which `:run` stands for the value `run`. A colon before a letter may occur nowhere else. Constants
 * are written literally.
 */
export function statement<Given extends Values, Row = never>(text: string): Statement<Given, Row> {
  // The caller declares the values; only the text says where they occur.
  const names = Array.from(text.matchAll(namePattern), ([, name]) => name as keyof Given & string);
  return statementOf(text.replace(namePattern, "?"), names);
}

/** A named value in a Kysely query that becomes a {@link compiledStatement}. */
export function named<T>(name: string): RawBuilder<T> {
  return sql<T>`${new NamedValue(name)}`;
}

/**
 * A statement from a Kysely query, for those that share their columns with others. Every value in it must be `named`, or it
 * throws; constants are written with `sql.lit`.
 */
export function compiledStatement<Given extends Values, Row>({ sql, parameters }: CompiledQuery<Row>) {
  const names = parameters.map((parameter) => {
    if (parameter instanceof NamedValue) return parameter.name as keyof Given & string;
    throw new Error(`A value of a statement has no name: ${sql}`);
  });
  return statementOf<Given, Row>(sql, names);
}

/** Values in the order of the question marks. Throws if one is missing. */
export function valuesOf<Given extends Values>({ text, names }: Statement<Given, unknown>, given: Given): Value[] {
  return names.map((name) => {
    const value = given[name];
    if (value === undefined) throw new Error(`The value "${name}" is missing: ${text}`);
    return value;
  });
}

/** Runs a statement on a database, or in its transaction. */
export async function runIn<Given extends Values, Row>(
  database: Pick<Kysely<unknown>, "executeQuery">,
  statement: Statement<Given, Row>,
  given: Given,
): Promise<Row[]> {
  const { rows } = await database.executeQuery<Row>({ ...statement.query, parameters: valuesOf(statement, given) });
  return rows;
}

class NamedValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function statementOf<Given extends Values, Row>(
  text: string,
  names: readonly (keyof Given & string)[],
): Statement<Given, Row> {
  return { text, names, query: CompiledQuery.raw(text) as CompiledQuery<Row> };
}
