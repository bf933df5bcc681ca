/** Edited values over the present ones: a field that was not edited since `start` is as it is `now`, whoever changed it. */
export function rebased<Values extends object>(edited: Values, start: Values, now: Values): Values {
  const before = new Map<string, unknown>(Object.entries(start));
  const isEdited = ([field, value]: [string, unknown]) => JSON.stringify(before.get(field)) !== JSON.stringify(value);
  return { ...now, ...Object.fromEntries(Object.entries(edited).filter(isEdited)) };
}
