"use client";

import { Suspense } from "react";
import { AttachButton } from "#components/runs/attach/attach-button.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import type { Run } from "#lib/contract/runs/run.ts";

// The agents' commands are loaded when somebody starts writing.
const CommandField = lazyPart(async () => (await import("#components/runs/new/command-field.tsx")).CommandField);

type ComposerLineProps = {
  orgId: number;
  run: Run;
  text: string;
  /** The message will reach the agent at its next step. */
  isSteering: boolean;
  /** Whether somebody is writing. */
  isNear: boolean;
  onSwitch: () => void;
  onFiles: (files: File[]) => void;
  onText: (text: string) => void;
};

/** Shown below the composer's field: when the message reaches the agent, files to attach, and the agent's commands. */
export default function ComposerLine(props: ComposerLineProps) {
  const { orgId, run, text, isSteering, isNear, onSwitch, onFiles, onText } = props;
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2 text-muted-foreground text-xs empty:hidden">
      {isLive(run) && (
        <span role="status">
          {isSteering ? "The agent gets it at its next step" : "The agent gets it as its next turn"}
        </span>
      )}
      {run.steerable && !text.startsWith("/") && (
        <Button variant="link" size="sm" onClick={onSwitch} className="h-6 px-0 text-xs">
          {isSteering ? "Queue it instead" : "Send it at the next step"}
        </Button>
      )}
      {isNear && (
        <AttachButton className="h-7 px-1.5 text-xs" onFiles={onFiles}>
          Attach text files
        </AttachButton>
      )}
      {isNear && (
        <Suspense>
          <CommandField
            className="ml-auto h-7 max-w-64 text-xs"
            {...{ orgId }}
            agent={run.agent}
            prompt={text}
            onPromptChange={onText}
          />
        </Suspense>
      )}
    </div>
  );
}
