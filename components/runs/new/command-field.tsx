"use client";

import { useQuery } from "@tanstack/react-query";
import { Combobox } from "#components/ui/combobox.tsx";
import { agentsQuery } from "#lib/client/pages/queries.ts";
import { beginWith } from "./begin-with.ts";

type CommandFieldProps = {
  orgId: number;
  agent: string;
  prompt: string;
  onPromptChange: (prompt: string) => void;
  className?: string;
};

/** Field for one of the agent's own commands, to begin the prompt with. Shows nothing if the agent announces none. */
export function CommandField({ orgId, agent, prompt, onPromptChange, className }: CommandFieldProps) {
  const agents = useQuery(agentsQuery(orgId)).data?.items ?? [];
  const chosen = agents.find(({ id, is_default }) => (agent === "" ? is_default : id === agent));
  const commands = chosen?.announced?.commands ?? [];
  if (chosen === undefined || commands.length === 0) return null;
  return (
    <Combobox
      aria-label={`${chosen.title} commands`}
      className={className}
      value={null}
      onValueChange={(name) => onPromptChange(beginWith(name, prompt, commands))}
      placeholder={`${chosen.title} commands`}
      options={commands.map(({ name, description, hint }) => ({
        value: name,
        label: `/${name}${hint === null ? "" : ` ${hint}`}`,
        description,
        keywords: [name],
      }))}
      searchPlaceholder="Find a command"
      emptyText="No such command"
    />
  );
}
