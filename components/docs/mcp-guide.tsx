import { CommandLine } from "#components/page/command-line.tsx";
import { mcpTools } from "#lib/contract/openapi/mcp-tools.ts";
import { operationHref } from "./api-description.ts";
import { DocsLink } from "./docs-link.tsx";
import { ReferenceTable } from "./fields-table.tsx";

/** Guide to using Errand from agents and editors through MCP: setup, and the available tools. */
export function McpGuide({ origin }: { origin: string }) {
  const url = `${origin}/mcp`;
  return (
    <>
      <p>
        Agents and editors can use Errand as an MCP server at <code>{url}</code> (streamable HTTP, without sessions).
        Send a token as with the API. <code>x-organization-id</code> can name the organization; by default it is the
        token&rsquo;s. <code>x-repo-id</code> can name the repository for runs that name none. A tool has the
        permissions, limits and errors of the operation it calls; any other message counts as a <code>standard</code>{" "}
        request.
      </p>
      {clients(url).map(({ name, file, text }) => (
        <div key={name} className="grid gap-1.5">
          <h3 className="font-medium text-[13px]">
            {name}
            {file !== null && <code className="ml-2 font-normal text-muted-foreground">{file}</code>}
          </h3>
          <CommandLine command={text} label={`Copy the configuration for ${name}`} />
        </div>
      ))}
      <ReferenceTable caption="Tools" head={["Name", "Operation", "What it does"]}>
        {mcpTools.map((tool) => (
          <tr key={tool.name}>
            <td>
              <code>{tool.name}</code>
            </td>
            <td>
              <DocsLink href={operationHref(tool.operation)}>{tool.operation.id}</DocsLink>
            </td>
            <td>
              {tool.description}
              <span className="block text-[13px] text-muted-foreground">
                {Object.keys(tool.input.shape).join(", ") || "no parameters"}
              </span>
            </td>
          </tr>
        ))}
      </ReferenceTable>
      <p>
        An API error is a result with <code>isError</code>, its message and the problem details. Long strings are cut
        and say how much is left out; <code>read_log</code> continues with <code>skip</code>, and returns more of a
        string with <code>clip</code>.
      </p>
    </>
  );
}

/** Client configurations, with the token in the environment variable ERRAND_TOKEN. */
function clients(url: string): { name: string; file: string | null; text: string }[] {
  const remote = { type: "remote", url, headers: { Authorization: "Bearer {env:ERRAND_TOKEN}" } };
  return [
    {
      name: "Claude Code",
      file: null,
      text: `claude mcp add --transport http errand ${url} --header "Authorization: Bearer $ERRAND_TOKEN"`,
    },
    {
      name: "Codex",
      file: "~/.codex/config.toml",
      text: `[mcp_servers.errand]\nurl = "${url}"\nbearer_token_env_var = "ERRAND_TOKEN"`,
    },
    {
      name: "OpenCode",
      file: "opencode.json (version 2 has errand below mcp.servers)",
      text: JSON.stringify({ mcp: { errand: remote } }, null, 2),
    },
  ];
}
