import { CommandLine } from "#components/page/command-line.tsx";

/** How git clients read the mirrors of repositories. */
export function GitGuide({ origin, orgId }: { origin: string; orgId: number | string }) {
  const address = `${origin}/git/${orgId}/REPO_ID.git`;
  return (
    <>
      <p>
        Git can clone and fetch the mirror of a repository, with the branches of its runs. The address takes a token
        with <code>repos:read</code> as the password, under any user name, or as <code>Authorization: Bearer</code>.
      </p>
      <CommandLine
        command={`git fetch ${address} errand/run-RUN_ID`}
        label="Copy the command that fetches a run's branch"
      />
      <p>
        A mirror is for reading: pushes get 403. It has the source&rsquo;s branches and tags as they were when a run
        last began, and no other refs. A branch of the source that cannot stand beside a run&rsquo;s, like{" "}
        <code>errand</code>, is left out. A run without a repository is read from{" "}
        <code>/git/{orgId}/run-RUN_ID.git</code>, with <code>runs:read</code> too. Each request of git counts as a{" "}
        <code>standard</code> one; a fetch makes two or more. Only the smart protocol is served.
      </p>
    </>
  );
}
