/** The fields that were edited since `start`. Only these are sent, so that other people's simultaneous changes stay. */
export function editedOf<Values extends object>(edited: Values, start: NoInfer<Values>): Partial<Values> {
  const before = new Map<string, unknown>(Object.entries(start));
  const isEdited = ([field, value]: [string, unknown]) => JSON.stringify(before.get(field)) !== JSON.stringify(value);
  return Object.fromEntries(Object.entries(edited).filter(isEdited)) as Partial<Values>;
}

/** Edited values over the present ones: a field that was not edited since `start` is as it is `now`, whoever changed it. */
export function rebased<Values extends object>(edited: Values, start: Values, now: Values): Values {
  return { ...now, ...editedOf(edited, start) };
}

/** A field's text after saving `sent`: empty, unless it was edited while it was being saved. */
export function unsavedText(sent: string): (now: string) => string {
  return (now) => (now === sent ? "" : now);
}

/** Edits that remain after saving `sent`: those made while it was being saved. */
export function unsavedOf<Edits extends object>(edits: Edits, sent: NoInfer<Partial<Edits>>): Partial<Edits> {
  const saved = new Map<string, unknown>(Object.entries(sent));
  return Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => saved.get(field) !== value),
  ) as Partial<Edits>;
}
