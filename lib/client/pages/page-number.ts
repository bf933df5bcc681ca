/** Page number in an address, from 1; anything invalid counts as 1. */
export function parsePageNumber(text: string | string[] | null | undefined): number {
  return typeof text === "string" && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
