const HOME = "/runs";

/** The sign-in page, which returns to `next`: a path of ours with its query. */
export function loginPath(next: string): string {
  return next === HOME ? "/login" : `/login?next=${encodeURIComponent(next)}`;
}

/**
 * Where to go after signing in: `next` if it is a path of this site, otherwise the list of runs. Anything a browser could take
 * for another host (`//host`, `/\host`, an address with a scheme) is not followed.
 */
export function safeNextPath(next: string | null | undefined): string {
  if (!next?.startsWith("/")) return HOME;
  const base = "http://errand.invalid";
  const url = URL.parse(next, base);
  if (url === null || url.origin !== base) return HOME;
  const path = url.pathname + url.search + url.hash;
  // `/.//host` is a path of ours that would become `//host` when used again.
  return path.startsWith("//") || url.pathname === "/login" ? HOME : path;
}

/** Code of the invitation whose page the path is, or null: people without an organization sign in only to accept one. */
export function invitationCodeOf(path: string): string | null {
  return /^\/invite\/([\w-]+)$/.exec(path)?.[1] ?? null;
}
