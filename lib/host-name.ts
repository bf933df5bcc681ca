/**
 * Whether the text can be the name of a host (RFC 1123): labels of 1 to 63 letters, digits, hyphens inside and, as private networks
 * have them, underscores; at most 253 characters in all, without a final dot. A last label of digits only is a mistyped address.
 */
export function isHostName(text: string): boolean {
  return text.length <= 253 && /^(?:(?!-)[\w-]{0,62}\w(?:\.(?!$)|$))+$/.test(text) && !/(?:^|\.)\d+$/.test(text);
}
