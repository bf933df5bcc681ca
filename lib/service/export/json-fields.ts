/** The fields of a JSON object; none for anything else. */
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

/** The number in a field, or null. */
export function numberField(fields: Record<string, unknown>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
