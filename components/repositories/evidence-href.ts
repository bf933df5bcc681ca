/**
 * The address of a line of a commit where its source is a repository of GitHub or GitLab; null for every other source,
 * whose files no page shows.
 */
export function evidenceHref(source: string, commit: string | null, path: string, line: number): string | null {
  if (commit === null || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const [, host, name] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)(github\.com|gitlab\.com)[/:](.+?)(?:\.git)?\/?$/.exec(source) ?? [];
  if (host === undefined || name === undefined || !/^[\w.-]+(\/[\w.-]+)+$/.test(name)) return null;
  const blob = host === "gitlab.com" ? "-/blob" : "blob";
  return `https://${host}/${name}/${blob}/${commit}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
}
