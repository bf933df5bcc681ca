import { ExactNumber } from "./exact-json.ts";

/** Fields of a JSON object; none for anything else. Agents' tools have any shape: every field is checked before use. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // It has only its own keys.
  return isObject && !(value instanceof ExactNumber) ? (value as Record<string, unknown>) : {};
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
    const value = numberOf(fields[name]);
    if (value !== null) return value;
  }
  return null;
}

/** A finite number, or null; of an exact one the nearest. */
export function numberOf(value: unknown): number | null {
  const number = value instanceof ExactNumber ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** An id as text, whether it is a text or a number; null for anything else. */
export function idOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" || value instanceof ExactNumber ? String(value) : null;
}
