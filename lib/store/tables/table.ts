import type { Generated } from "kysely";

/** Instants are milliseconds since 1970, booleans 0 or 1, JSON is text: no value looks different in another database. */
type Storage = "id" | "integer" | "real" | "text" | "blob";

/** A column, not null unless it says so. `Value` is its type in queries; what follows its type in SQL is the same everywhere. */
export class Column<Value> {
  declare readonly value: Value;
  readonly storage: Storage;
  readonly sql: string;

  constructor(storage: Storage, sql = " not null") {
    this.storage = storage;
    this.sql = sql;
  }

  orNull(): Column<Value | null> {
    return new Column(this.storage, this.sql.replace(" not null", ""));
  }

  /** The value of rows that are inserted without one. */
  default(value: number | string): Column<Generated<Value>> {
    return new Column(this.storage, `${this.sql} default ${typeof value === "number" ? value : `'${value}'`}`);
  }

  unique(): Column<Value> {
    return new Column(this.storage, `${this.sql} unique`);
  }
}

/** Numbers rows from 1; a number is never given twice. */
export const id = () => new Column<Generated<number>>("id", "");
export const integer = <Value extends number = number>() => new Column<Value>("integer");
export const boolean = <Value extends number = number>() => new Column<Value>("integer");
export const instant = () => new Column<number>("integer");
export const real = () => new Column<number>("real");
export const text = <Value extends string = string>() => new Column<Value>("text");
export const json = () => new Column<string>("text");
export const blob = () => new Column<Uint8Array>("blob");
/** The machine of which the row was found to be true: '' for the only one of an embedded store. */
export const machine = () => text().default("");
/** The `id` of a row of another table. */
export const reference = (table: string, onDelete = "no action") =>
  new Column<number>("integer", ` not null references ${table} (id) on delete ${onDelete}`);

/** A table. SQL of its constraints and indexes is the same everywhere; names of indexes are unique in the database. */
export class Table<Columns extends Record<string, Column<unknown>>> {
  readonly columns: Columns;
  readonly constraints: string[] = [];
  readonly indexes: { kind: "index" | "unique index"; name: string; on: string }[] = [];
  isClustered = false;

  constructor(columns: Columns) {
    this.columns = columns;
  }

  key(...names: (keyof Columns & string)[]): this {
    this.constraints.push(`primary key (${names.join(", ")})`);
    return this;
  }

  /** A primary key in the order of which the rows are stored, where the database can do that. */
  clusteredBy(...names: (keyof Columns & string)[]): this {
    this.isClustered = true;
    return this.key(...names);
  }

  unique(...names: (keyof Columns & string)[]): this {
    this.constraints.push(`unique (${names.join(", ")})`);
    return this;
  }

  /** Its only row has the id 1. */
  single(): this {
    this.constraints.push("check (id = 1)");
    return this;
  }

  /** `on`: the columns in parentheses, and the condition. */
  index(name: string, on: string): this {
    this.indexes.push({ kind: "index", name, on });
    return this;
  }

  uniqueIndex(name: string, on: string): this {
    this.indexes.push({ kind: "unique index", name, on });
    return this;
  }
}

export const table = <Columns extends Record<string, Column<unknown>>>(columns: Columns) => new Table(columns);
