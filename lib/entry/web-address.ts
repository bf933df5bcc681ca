/** An address that may be linked, in its normal form: http or https only, at most 4096 characters. Null for anything else. */
export function webAddress(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 4096 || !/^https?:\/\//i.test(value)) return null;
  return URL.canParse(value) ? new URL(value).href : null;
}
