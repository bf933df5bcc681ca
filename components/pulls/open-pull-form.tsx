"use client";

import type { ReactNode } from "react";
import { CheckField, TextareaField, TextField } from "#components/form/fields.tsx";
import { DialogSaveBar } from "#components/form/save-bar.tsx";
import { useNewForm } from "#components/form/use-saved-form.ts";
import { LeftOutWarning } from "#components/runs/left-out-sign.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { Alert, AlertDescription, AlertTitle } from "#components/ui/alert.tsx";
import { useOpenPull } from "#lib/client/pages/pull-queries.ts";
import { pullBodyMax, pullTitleMax } from "#lib/contract/bounds.ts";
import type { ShownPullSettings } from "#lib/contract/repositories/pull-settings.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { runTitle } from "#lib/entry/run-title.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { approvalNote } from "./approval-words.ts";
import { BaseBranchField } from "./base-branch-field.tsx";

type OpenPullFormProps = {
  orgId: number;
  run: Run;
  repoId: number;
  settings: ShownPullSettings;
  onDone: () => void;
};

/** Form for the pull request, with a preview of what is sent. */
export function OpenPullForm({ orgId, run, repoId, settings, onDone }: OpenPullFormProps) {
  const { pull_request: pull } = run;
  const isHost = settings.target.kind === "host";
  const isNew = pull === null || pull.number === null;
  const { type, account, account_kind } = settings.target;
  const note = isNew && type !== null ? approvalNote(type, { account, account_kind }) : null;
  const standardBase = settings.base_branch ?? run.base_branch ?? "the default branch";
  const standardTitle = pull?.title ?? withoutDirectionMarks(run.summary?.trim() || runTitle(run.prompt));
  const form = useNewForm({
    blank: { title: "", body: "", base_branch: null as string | null, draft: settings.draft },
    bodyOf({ title, body, base_branch, draft }) {
      const named = title.trim() === "" ? {} : { title: title.trim() };
      if (!isHost) return {};
      if (!isNew) return named;
      return {
        ...{ ...named, draft },
        ...(base_branch === null ? {} : { base_branch }),
        ...(body.trim() === "" ? {} : { body }),
      };
    },
    mutation: useOpenPull(orgId, run.id),
    onSaved: onDone,
  });
  const { base_branch: base } = form.values;

  return (
    <form {...form.attributes} className="grid min-w-0 gap-4">
      {pull?.error != null && (
        <Alert variant="warning">
          <AlertTitle>The last attempt failed</AlertTitle>
          <AlertDescription className="[overflow-wrap:anywhere]">
            <VisibleText text={pull.error.message} />
            {pull.error.hint !== null && ` ${pull.error.hint}`}
          </AlertDescription>
        </Alert>
      )}
      <Sent run={run} base={isHost && isNew ? (base ?? standardBase) : null} />
      <LeftOutWarning run={run} />
      {isHost && (
        <TextField
          {...form.field("title")}
          label="Title"
          // The dialog had nothing to focus while the settings were loading.
          autoFocus
          placeholder={standardTitle}
          maxLength={pullTitleMax}
        />
      )}
      {isHost && isNew && (
        <>
          <BaseBranchField
            {...{ orgId, repoId, branch: base }}
            noneLabel={standardBase}
            onChange={(base_branch) => form.edit({ base_branch })}
            error={form.errors.base_branch}
          />
          <TextareaField
            {...form.field("body")}
            label="Description"
            hint="Markdown. The run's answer, its prompt and a link to the run are added below it."
            maxLength={pullBodyMax}
            areaClassName="min-h-16"
          />
          <CheckField
            {...form.field("draft")}
            label="Draft"
            hint="Not ready for review yet. Hosts without drafts open it as a normal pull request."
          />
        </>
      )}
      {note !== null && <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">{note}</p>}
      <DialogSaveBar
        form={form.state}
        label={isHost ? (isNew ? "Open pull request" : "Update pull request") : "Push the branch"}
        autoFocus={!isHost}
        failure="Nothing was pushed or opened"
      />
    </form>
  );
}

/** The branch with the run's commits, its destination, and the size of the change. */
function Sent({ run: { branch, changes, pull_request: pull }, base }: { run: Run; base: string | null }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-[13px]">
      <Fact name="Branch">
        <code>{branch}</code>
        {(base ?? pull?.base_branch ?? null) !== null && (
          <>
            {" → "}
            <code>{base ?? pull?.base_branch}</code>
          </>
        )}
      </Fact>
      {changes !== null && (
        <Fact name="Changes">
          {formatCountOf(changes.files, "file")} <DiffCounts added={changes.insertions} removed={changes.deletions} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
