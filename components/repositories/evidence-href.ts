/**
 * Address of a line in a commit, if its source is a repository on GitHub or GitLab; otherwise null, because no page shows its
 * files.
 */
export function evidenceHref(source: string, commit: string | null, path: string, line: number): string | null {
  if (commit === null || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const [, host, name] =
    /^(?:https:\/\/|ssh:\/\/git@|git@)(github\.com|gitlab\.com)[/:](.+?)(?:\.git)?\/?$/.exec(source) ?? [];
  if (host === undefined || name === undefined || !/^[\w.-]+(\/[\w.-]+)+$/.test(name)) return null;
  const blob = host === "gitlab.com" ? "-/blob" : "blob";
  return `https://${host}/${name}/${blob}/${commit}/${path.split("/").map(encodeURIComponent).join("/")}#L${line}`;
}
