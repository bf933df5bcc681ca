"use client";

import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useTheme } from "#components/shell/theme.tsx";
import {
  agentFacts,
  BranchName,
  durationFact,
  figureFacts,
  type HeaderFact,
} from "#components/trace/page/header-facts.tsx";
import { HeaderFrame } from "#components/trace/page/header-frame.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Run } from "#lib/contract/runs/run.ts";

type SharedHeaderProps = { run: Run; totalLogs: number; isPart: boolean; tabs: ReactNode };

/** Title and state of the run, as far as a stranger may know. */
export function SharedHeader({ run, totalLogs, isPart, tabs }: SharedHeaderProps) {
  const facts: HeaderFact[] = agentFacts(run);
  if (run.base_branch !== null) {
    const value = <BranchName name={run.base_branch} />;
    facts.push({ name: "Branch", value, className: "min-w-0 shrink max-sm:hidden" });
  }
  if (!isPart) facts.push(durationFact(run));
  facts.push(...figureFacts(run, totalLogs, !isPart));
  return <HeaderFrame {...{ run, facts, tabs }} hasStatus={!isPart} actions={<ThemeButton />} />;
}

function ThemeButton() {
  const { resolved, setTheme } = useTheme();
  const other = resolved === "dark" ? "light" : "dark";
  return (
    <IconButton label={`Switch to ${other}`} size="icon-sm" onClick={() => setTheme(other)}>
      {other === "dark" ? <Moon /> : <Sun />}
    </IconButton>
  );
}
