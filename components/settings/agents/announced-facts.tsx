import type { ReactNode } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";

/** Capabilities that an agent announced when it last opened a session: numbers at once, lists folded. */
export function AnnouncedFacts({ announced }: { announced: Announced }) {
  const { models, modes, options, commands } = announced;
  const takes = [
    announced.images && "images",
    announced.embedded_context && "files in prompts",
    announced.mcp_http && "MCP servers over HTTP",
    announced.resumes && "resuming a session",
    announced.steering && "messages while it works",
  ].filter((one) => one !== false);
  const named = (items: readonly { id: string; name: string; description: string | null }[]) =>
    items.map(({ id, name, description }) => (
      <Item key={id} term={name} id={id === name ? null : id} description={description} />
    ));
  return (
    <div className="grid gap-1.5 text-[13px]">
      {takes.length > 0 && <p className="text-muted-foreground">Supports {takes.join(", ")}.</p>}
      <Folded label={formatCountOf(models.length, "model")} count={models.length}>
        {named(models)}
      </Folded>
      <Folded label={formatCountOf(modes.length, "mode")} count={modes.length}>
        {named(modes)}
      </Folded>
      <Folded label={formatCountOf(options.length, "setting")} count={options.length}>
        {options.map(({ id, name, values }) => (
          <Item key={id} term={name} id={null} description={values.map((value) => value.name).join(", ")} />
        ))}
      </Folded>
      <Folded label={formatCountOf(commands.length, "command")} count={commands.length}>
        {commands.map(({ name, hint, description }) => (
          <Item key={name} term={`/${name}${hint === null ? "" : ` ${hint}`}`} id={null} description={description} />
        ))}
      </Folded>
    </div>
  );
}

function Folded({ label, count, children }: { label: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm py-0.5 hover:underline">{label}</summary>
      <dl className="mt-1 grid max-h-80 gap-x-4 gap-y-1 overflow-y-auto border-border border-l pl-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
        {children}
      </dl>
    </details>
  );
}

function Item({ term, id, description }: { term: string; id: string | null; description: string | null }) {
  return (
    <div className="contents">
      <dt className="[overflow-wrap:anywhere]">
        {term}
        {id !== null && <span className="block text-muted-foreground">{id}</span>}
      </dt>
      <dd className="text-muted-foreground [overflow-wrap:anywhere]">{description}</dd>
    </div>
  );
}
