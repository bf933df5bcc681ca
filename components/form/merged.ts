/**
 * Edited values over those that were saved meanwhile: what was edited since `base` is as in `mine`, the rest as in `theirs`. Objects
 * are merged field by field, and lists of rows (objects with a `key`) row by row: those added there come last, and one removed there
 * stays if it was edited here. Other values are replaced as a whole.
 */
export function merged<Value>(mine: Value, base: Value, theirs: Value): Value {
  if (isSame(mine, base)) return theirs;
  if (isRows(mine) && isRows(base) && isRows(theirs)) return mergedRows(mine, base, theirs) as Value;
  if (isRecord(mine) && isRecord(base) && isRecord(theirs)) return mergedFields(mine, base, theirs) as Value;
  return mine;
}

/** The fields of edited values that differ from those they began with. */
export function editedOf<Values extends object>(edited: Values, base: NoInfer<Values>): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(base));
  const fields = Object.entries(edited).filter(([field, value]) => !isSame(value, before.get(field)));
  return Object.fromEntries(fields) as Partial<Values>;
}

let rowsMade = 0;

/** Key of a row that is added in a form. No row has the same, and neither does one that is saved, as names begin with no space. */
export function newKey(): string {
  rowsMade += 1;
  return ` ${rowsMade}`;
}

type Row = { key: string; name?: string };

function mergedRows(mine: readonly Row[], base: readonly Row[], theirs: readonly Row[]): Row[] {
  const find = (rows: readonly Row[], key: string | undefined) => rows.find((row) => row.key === key);
  // A row that was added here has its name as its key once it is saved.
  const findSaved = ({ key, name }: Row) => find(theirs, key) ?? find(theirs, name?.trim());
  const stay = mine.flatMap((row) => {
    const [before, now] = [find(base, row.key), findSaved(row)];
    if (before !== undefined && now !== undefined) return [merged(row, before, now)];
    return isSame(row, before) ? [] : [row];
  });
  const known = [...base, ...mine, ...mine.map(findSaved)];
  return [...stay, ...theirs.filter(({ key }) => known.every((row) => row?.key !== key))];
}

function mergedFields(mine: object, base: object, theirs: object): object {
  const [before, now] = [new Map(Object.entries(base)), new Map(Object.entries(theirs))];
  const fields = Object.entries(mine).map(([field, value]) => [
    field,
    merged(value, before.get(field), now.get(field)),
  ]);
  return { ...theirs, ...Object.fromEntries(fields) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every((row) => isRecord(row) && "key" in row);
}
