/**
 * Fills the `{name}` parts of an operation's path, each escaped as one segment. Throws if a parameter is missing: the address
 * would lead elsewhere.
 */
export function fillPath(template: string, params: Record<string, unknown>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === null || value === "")
      throw new TypeError(`The path ${template} needs ${name}.`);
    return encodeURIComponent(String(value));
  });
}

/**
 * A query with its leading `?`, or the empty string. Null and undefined are left out, several values of one name are joined by
 * commas, and names keep their order: equal queries give equal addresses.
 */
export function queryString(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const text = Array.isArray(value) ? value.join(",") : String(value);
    search.set(name, text);
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
