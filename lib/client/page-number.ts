/** The page that an address names, from 1; what is no such number counts as 1. */
export function parsePageNumber(text: string | string[] | null | undefined): number {
  return typeof text === "string" && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
