const predicate = /^(?:must|may|is|are|has|have|does|needs|leads|cannot|can)\b/;

/**
 * A field's error as a sentence: `must not be empty` becomes `Prompt must not be empty`. A message with its own subject, or of
 * several parts, stays unchanged.
 */
export function errorSentence(label: string, error: string): string {
  const parts = error.split("; ");
  if (!parts.every((part) => predicate.test(part))) return error;
  return `${label} ${parts.join(" and ")}`;
}
