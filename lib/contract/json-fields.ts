/** The fields of a JSON object; none for anything else. Agents' tools are of any shape: every field is looked at before it is used. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  // Not null and no array, so its own keys are all that can be asked for.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The first of these fields that holds a string with something in it, or null. */
export function textField(fields: Record<string, unknown>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** The first of these fields that holds a string, the empty one included, or null. */
export function stringField(fields: Record<string, unknown>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
  }
  return null;
}

/** The first of these fields that holds a finite number, or null. */
export function numberField(fields: Record<string, unknown>, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return null;
}
