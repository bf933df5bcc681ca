import { CommandLine } from "#components/page/command-line.tsx";

/** Guide to reading the mirrors of repositories with git. */
export function GitGuide({ origin, orgId }: { origin: string; orgId: number | string }) {
  const address = `${origin}/git/${orgId}/REPO_ID.git`;
  return (
    <>
      <p>
        Git can clone and fetch the mirror of a repository, with the branches of its runs. Send a token with{" "}
        <code>repos:read</code> as the password (with any user name) or as <code>Authorization: Bearer</code>.
      </p>
      <CommandLine
        command={`git fetch ${address} errand/run-RUN_ID`}
        label="Copy the command that fetches a run's branch"
      />
      <p>
        A mirror is read-only: pushes get 403. It has the source&rsquo;s branches and tags as they were when a run last
        began, and no other refs. A branch of the source whose name conflicts with the branches of runs, such as{" "}
        <code>errand</code>, is left out. For a run without a repository use <code>/git/{orgId}/run-RUN_ID.git</code>,
        which needs <code>runs:read</code> too. Each of git&rsquo;s requests counts as a <code>standard</code> one; a
        fetch makes two or more. Only the smart protocol is served.
      </p>
    </>
  );
}
