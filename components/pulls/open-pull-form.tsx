"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { formatCountOf } from "#components/shell/format-number.ts";
import { DiffCounts } from "#components/text/diff-counts.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { Alert, AlertDescription, AlertTitle, ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { DialogCancel, DialogFooter, KeepOpen } from "#components/ui/dialog.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { describeError, fieldMessages } from "#lib/client/client-error.ts";
import { useOpenPull } from "#lib/client/pull-queries.ts";
import { pullBodyMax, pullTitleMax } from "#lib/contract/bounds.ts";
import type { ShownPullSettings } from "#lib/contract/pull-settings.ts";
import type { Run } from "#lib/contract/run.ts";
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

const fields = ["title", "body", "draft", "base_branch"] as const;

/** Form for the pull request, with a preview of what is sent. */
export function OpenPullForm({ orgId, run, repoId, settings, onDone }: OpenPullFormProps) {
  const { pull_request: pull } = run;
  const isHost = settings.target.kind === "host";
  const isNew = pull === null || pull.number === null;
  const [title, setTitle] = useState("");
  const [body, setBody] = useState("");
  const [base, setBase] = useState<string | null>(null);
  const [isDraft, setDraft] = useState(settings.draft);
  const { type, account, account_kind } = settings.target;
  const note = isNew && type !== null ? approvalNote(type, { account, account_kind }) : null;
  const open = useOpenPull(orgId, run.id);
  const errors = fieldMessages(open.error, fields);
  const standardBase = settings.base_branch ?? run.base_branch ?? "the default branch";
  const standardTitle = pull?.title ?? withoutDirectionMarks(run.summary?.trim() || runTitle(run.prompt));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (open.isPending) return;
    const named = title.trim() === "" ? {} : { title: title.trim() };
    const options = !isHost
      ? {}
      : isNew
        ? {
            ...named,
            draft: isDraft,
            ...(base === null ? {} : { base_branch: base }),
            ...(body.trim() === "" ? {} : { body }),
          }
        : named;
    open.mutate(options, { onSuccess: onDone });
  }

  return (
    <form noValidate onSubmit={submit} className="grid min-w-0 gap-4">
      <KeepOpen while={open.isPending} />
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
      {isHost && (
        <Field label="Title" error={errors.title}>
          <Input
            // The dialog had nothing to focus while the settings were loading.
            autoFocus
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            placeholder={standardTitle}
            maxLength={pullTitleMax}
            autoComplete="off"
          />
        </Field>
      )}
      {isHost && isNew && (
        <>
          <BaseBranchField
            {...{ orgId, repoId, branch: base }}
            noneLabel={standardBase}
            onChange={setBase}
            error={errors.base_branch}
          />
          <Field
            label="Description"
            error={errors.body}
            hint="Markdown. The run's answer, its prompt and a link to the run are added below it."
          >
            <Textarea
              value={body}
              onChange={(event) => setBody(event.target.value)}
              maxLength={pullBodyMax}
              className="min-h-16"
            />
          </Field>
          <InlineField
            label="Draft"
            hint="Not ready for review yet. Hosts without drafts open it as a normal pull request."
          >
            <Checkbox checked={isDraft} onCheckedChange={(checked) => setDraft(checked === true)} />
          </InlineField>
        </>
      )}
      {note !== null && <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">{note}</p>}
      {errors[""] !== undefined && <ErrorAlert title="The request was refused" detail={errors[""]} />}
      {open.error !== null && Object.keys(errors).length === 0 && (
        <ErrorAlert title="Nothing was pushed or opened" {...describeError(open.error)} />
      )}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" autoFocus={!isHost} pending={open.isPending}>
          {isHost ? (isNew ? "Open pull request" : "Update pull request") : "Push the branch"}
        </Button>
      </DialogFooter>
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
