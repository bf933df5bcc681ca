"use client";

import Link from "next/link";
import { useState } from "react";
import { TextField } from "#components/form/fields.tsx";
import { CommandLine } from "#components/page/command-line.tsx";
import { Section } from "#components/page/loaded-part.tsx";
import { type OwnEntry, writeEntry } from "./own-entry.ts";

const example: OwnEntry = {
  id: "my-agent",
  title: "My agent",
  command: "/opt/my-agent/bin/agent --acp",
  variables: "",
};

const fields: { name: keyof OwnEntry; label: string; hint?: string }[] = [
  { name: "id", label: "ID" },
  { name: "title", label: "Name" },
  { name: "command", label: "Command", hint: "An absolute path, or a program on Errand's PATH." },
  { name: "variables", label: "Environment variables to pass to the agent", hint: "Names only, such as MY_API_KEY." },
];

/**
 * Writes the entry for an agent of one's own, to be copied. The page does not change the file: its commands are executed as the
 * user Errand runs as, so anyone who can write it has the machine.
 */
export function OwnAgent() {
  const [typed, setTyped] = useState(example);
  const written = writeEntry(typed);
  return (
    <Section
      id="own"
      title="Add your own agent"
      note={
        <>
          Any program that speaks the Agent Client Protocol over standard input and output can be an agent. Its command
          runs on the machine that runs Errand, so only someone with access to that machine can add it: put this entry
          into <code>agents.json</code> in the data folder, which is read again when it changes. Set agents' isolation
          and keys under{" "}
          <Link href="/settings/isolation" className="underline underline-offset-2">
            Isolation
          </Link>
          .
        </>
      }
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {fields.map(({ name, label, hint }) => (
          <TextField
            key={name}
            {...{ label, hint }}
            value={typed[name]}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
            spellCheck={false}
          />
        ))}
      </div>
      {"json" in written ? (
        <CommandLine command={written.json} label="Copy the entry for agents.json" />
      ) : (
        <p role="status" className="text-destructive text-sm">
          {written.problem}
        </p>
      )}
    </Section>
  );
}
