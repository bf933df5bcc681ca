import { DocsLink } from "./docs-link.tsx";

/** For people whose clients were written for the reference service. */
export function CodegenGuide() {
  return (
    <>
      <p>
        These pages call Codegen the reference service. Its SDK, its command line and other clients work with Errand
        unchanged: set <code>CODEGEN_API_BASE_URL</code> to this address, give them an Errand token, and use{" "}
        <code>codegen claude</code> only with <code>--no-mcp</code>, because otherwise it sends your token to a server
        of Codegen.
      </p>
      <p>
        Some clients compare statuses. Codegen&rsquo;s command line and Raycast expect Codegen&rsquo;s words, such as{" "}
        <code>COMPLETE</code> and <code>ACTIVE</code>: create a token for them in compatibility mode under{" "}
        <DocsLink href="/settings/tokens">Settings</DocsLink>, or with <code>--status-style reference</code>. Others,
        such as the library codegen.py, expect lower case, which all other tokens give.
      </p>
      <ul className="grid list-disc gap-1 pl-5">
        <li>Invalid input gives 400 instead of 422, and there is no 402: nobody is charged.</li>
        <li>
          Without a language model installed, the agent <code>steps</code> runs what the prompt has in code blocks; of
          any other prompt it does not act on the words, but surveys the repository and runs its tests.
        </li>
        <li>
          Lists of MCP providers and of OAuth connections are empty: MCP servers and code hosts are set up under{" "}
          <DocsLink href="/settings/integrations">Settings</DocsLink>.
        </li>
        <li>
          Everything beyond the reference service, such as queues, share links and the live stream, has the same form
          with any token.
        </li>
      </ul>
    </>
  );
}
