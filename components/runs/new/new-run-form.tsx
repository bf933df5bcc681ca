"use client";

import { Play } from "lucide-react";
import type { KeyboardEvent } from "react";
import { isSubmitKey } from "#components/keys/submit-key.ts";
import { CommandLine } from "#components/page/command-line.tsx";
import { createRunCommand } from "#components/runs/create-run-command.ts";
import { useSession } from "#components/session/session.tsx";
import { useCommandKey } from "#components/shell/palette-key.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { AgentField, AgentNotes, ModeField, ModelField, PermissionField } from "./agent-fields.tsx";
import { CommandField } from "./command-field.tsx";
import { PromptField } from "./prompt-field.tsx";
import { BranchField, RepositoryField } from "./repository-fields.tsx";
import { ServersField } from "./servers-field.tsx";
import { STEPS_EXAMPLE } from "./steps-example.ts";
import { TimeLimitField } from "./time-limit-field.tsx";
import { useNewRun } from "./use-new-run.ts";

/** Form for a new run, and the same run as an API request. */
export function NewRunForm({ repoId }: { repoId: number | null }) {
  const { organization, origin } = useSession();
  const orgId = organization.id;
  const run = useNewRun(orgId, repoId);
  const { values, replacedAgent, offered, body, errors, promptRef, failure, isBare, isSending, change, send } = run;
  const reason = describeError(failure);
  const command = useCommandKey();

  function onKeyDown(event: KeyboardEvent) {
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <PromptField
        prompt={values.prompt}
        images={values.images}
        attachments={values.attachments}
        onPromptChange={(prompt) => change({ prompt })}
        onFilesChange={change}
        error={errors.prompt}
        filesError={errors.images ?? errors.attachments}
        promptRef={promptRef}
      />
      <CommandField
        className="-mt-3 sm:max-w-80"
        orgId={orgId}
        agent={values.agent}
        prompt={values.prompt}
        onPromptChange={(prompt) => {
          change({ prompt });
          promptRef.current?.focus();
        }}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <RepositoryField
          orgId={orgId}
          repoId={values.repoId}
          onChange={(id) => change({ repoId: id, baseBranch: "" })}
          error={errors.repo_id}
        />
        <BranchField
          orgId={orgId}
          repoId={values.repoId}
          branch={values.baseBranch}
          onChange={(baseBranch) => change({ baseBranch })}
          error={errors.base_branch}
        />
        <AgentField
          orgId={orgId}
          agent={values.agent}
          onChange={(agent) => change({ agent, model: "", mode: "" })}
          error={errors.agent}
        />
        <AgentNotes
          orgId={orgId}
          agent={values.agent}
          replaced={replacedAgent}
          onInsertExample={() => change({ prompt: insertExample(values.prompt) })}
        />
        <ModelField
          orgId={orgId}
          agent={values.agent}
          model={values.model}
          // A model is one of the agent that is shown, whichever is the default later.
          onChange={(model) => change({ agent: values.agent, model })}
          error={errors.model}
        />
      </div>
      <PermissionField
        mode={values.permissionMode}
        // An agent may only be in a mode of its own if every request is approved automatically.
        onChange={(permissionMode) =>
          change(permissionMode === "auto" ? { permissionMode } : { permissionMode, mode: "" })
        }
        error={errors.permission_mode}
      />
      <ModeField
        orgId={orgId}
        agent={values.agent}
        permissionMode={values.permissionMode}
        mode={values.mode}
        onChange={(mode) => change({ agent: values.agent, mode })}
        error={errors.mode}
      />
      <ServersField
        offered={offered}
        withheld={values.withheldServers}
        onChange={(withheldServers) => change({ withheldServers })}
        error={errors.mcp_server_names}
      />
      <TimeLimitField
        orgId={orgId}
        minutes={values.minutes}
        onChange={(minutes) => change({ minutes })}
        error={errors.turn_timeout_s}
      />
      {/* Stays in view however low the window is. */}
      <div className="sticky bottom-(--bottom-bar) z-10 -mx-1 grid max-h-[60dvh] gap-3 overflow-y-auto border-border border-t bg-background px-1 py-3">
        {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
        {failure !== null && (
          <ErrorAlert
            // Without a request's id there was no response: the run may have been started.
            title={reason.requestId === null ? "The run may not have been started" : "The run could not be started"}
            {...reason}
          />
        )}
        <div className="flex items-center gap-3">
          <Button type="submit" size="lg" pending={isSending}>
            {!isSending && <Play aria-hidden />} {isBare ? "Start without a repository" : "Start run"}
          </Button>
          <span className="text-[13px] text-muted-foreground pointer-coarse:hidden">
            <Kbd>{command}</Kbd> <Kbd>Enter</Kbd>
          </span>
        </div>
      </div>
      <section className="grid gap-1.5">
        <h2 className="text-[13px] text-muted-foreground">Same run with curl</h2>
        <CommandLine
          command={createRunCommand(origin, orgId, { ...body, images: undefined, attachments: undefined })}
          className="max-h-64 overflow-y-auto"
        />
        {values.images.length > 0 && (
          <p className="text-[13px] text-muted-foreground">
            The images are left out here: add them as data URLs in <code>images</code>.
          </p>
        )}
        {values.attachments.length > 0 && (
          <p className="text-[13px] text-muted-foreground">
            The text files are left out here: add them in <code>attachments</code>.
          </p>
        )}
      </section>
    </form>
  );
}

function insertExample(prompt: string): string {
  return prompt.trim() === "" ? STEPS_EXAMPLE : `${prompt.trimEnd()}\n\n${STEPS_EXAMPLE}`;
}
