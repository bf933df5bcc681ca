/** Fields of a JSON object; none for anything else. Agents' tools have any shape: every field is checked before use. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  // Not null and not an array, so it has only its own keys.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** The first of these fields with a non-empty string, or null. */
export function textField(fields: Record<string, unknown>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

/** The first of these fields with a string, possibly empty, or null. */
export function stringField(fields: Record<string, unknown>, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string") return value;
  }
  return null;
}

/** The first of these fields with a finite number, or null. */
export function numberField(fields: Record<string, unknown>, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "number" && Number.isFinite(value)) return value;
  }
  return null;
}
