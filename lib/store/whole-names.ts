import type { MigratedDatabase } from "./migration.ts";

/**
 * Migration: the full name of a repository in groups within groups had only the last group. It gets all of them, below the address
 * of the code host that was connected. Names that people gave stay.
 */
export function wholeNames(database: MigratedDatabase): void {
  for (const { id, organization_id, full_name, source } of [...database.each("select * from repositories")]) {
    const url = /^(?:https?|ssh|git):\/\//i.test(String(source)) ? URL.parse(String(source)) : null;
    const short = /^(?:[^@/\s]+@)?[^:/\s]+:(?!\/\/)(.+)$/.exec(String(source))?.[1];
    const path = url === null ? (short ?? "") : decoded(url.pathname);
    const parts = path.split("/").filter((part) => part !== "" && part !== ".git");
    if (
      parts
        .slice(-2)
        .join("/")
        .replace(/\.git$/, "") !== full_name
    )
      continue;
    const hosts = database.each(
      `select base_url from integrations where organization_id = ${Number(organization_id)} and base_url is not null`,
    );
    const folders = [...hosts].flatMap(({ base_url }) => {
      const base = URL.parse(String(base_url));
      const folder = `${base?.pathname.replace(/\/+$/, "")}/`;
      return base !== null && base.origin === url?.origin && url.pathname.startsWith(folder) ? [folder] : [];
    });
    const above = Math.max(0, ...folders.map((folder) => folder.split("/").filter((part) => part !== "").length));
    const whole = parts
      .slice(Math.min(above, parts.length - 2))
      .join("/")
      .replace(/\.git$/, "");
    if (whole !== full_name) database.run("update repositories set full_name = ? where id = ?", [whole, Number(id)]);
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
