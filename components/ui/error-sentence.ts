const predicate = /^(?:must|may|is|are|has|have|does|needs|cannot|can)\b/;

/**
 * What is wrong with a field, as a sentence: `must not be empty` becomes `Prompt must not be empty`. What has a subject of its own,
 * or stands in several parts, stays as it is.
 */
export function errorSentence(label: string, error: string): string {
  const parts = error.split("; ");
  if (!parts.every((part) => predicate.test(part))) return error;
  return `${label} ${parts.join(" and ")}`;
}
