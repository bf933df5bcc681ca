"use client";

import { type FormEvent, useDeferredValue, useState } from "react";
import { CheckField, TextField } from "#components/form/fields.tsx";
import { formatCountOf } from "#components/shell/format-number.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { DialogCancel, DialogFooter } from "#components/ui/dialog.tsx";
import { LifetimeField } from "#components/ui/lifetime-field.tsx";
import { RadioGroup, RadioOption } from "#components/ui/radio-group.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { isLive } from "#lib/client/live/is-live.ts";
import type { useCreateShare } from "#lib/client/pages/share-queries.ts";
import { shareDaysDefault, skipMax } from "#lib/contract/bounds.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { SharePreviewBox } from "./share-preview-box.tsx";

const lifetimes = [1, 7, 30, 90, 365, null];

type ShareFormProps = {
  orgId: number;
  run: Run;
  create: ReturnType<typeof useCreateShare>;
};

/** Range and lifetime of a new link; below, a preview. */
export function ShareForm({ orgId, run, create }: ShareFormProps) {
  const [part, setPart] = useState<"all" | "some">("all");
  const [from, setFrom] = useState("1");
  const [to, setTo] = useState(String(Math.max(1, run.total_logs)));
  const [outputs, setOutputs] = useState(false);
  const [lifetime, setLifetime] = useState<number | null>(shareDaysDefault);
  const range = part === "all" ? { fromSeq: 1, toSeq: null } : parseRange(from, to);
  // While typing, the preview is not worth a request.
  const previewed = useDeferredValue(range);

  function send(event: FormEvent) {
    event.preventDefault();
    if (range === null) return;
    create.mutate({ from_seq: range.fromSeq, to_seq: range.toSeq, outputs, days: lifetime });
  }

  return (
    <form noValidate onSubmit={send} className="grid gap-4">
      <RadioGroup value={part} onValueChange={(value) => setPart(value === "some" ? "some" : "all")} aria-label="Steps">
        <RadioOption
          value="all"
          label="The whole run"
          description={isLive(run) ? "New steps appear live." : "Including further turns if it is continued."}
        />
        <RadioOption value="some" label="Some of its steps" />
      </RadioGroup>
      {part === "some" && (
        <div className="grid grid-cols-2 items-start gap-4 pl-6.5">
          <TextField
            label="From step"
            error={range === null && "Enter two step numbers, from 1 up, the smaller one first"}
            value={from}
            onChange={setFrom}
            inputMode="numeric"
          />
          <TextField
            label="To step"
            hint={`The run has ${formatCountOf(run.total_logs, "step")} now`}
            value={to}
            onChange={setTo}
            inputMode="numeric"
          />
        </div>
      )}
      <CheckField
        label="Show tool output"
        hint="Command output, file contents, diffs, and what was sent to tools. Without it, a link shows what was said, and commands, paths and addresses, but not what commands printed or edits wrote. What was said may quote what is hidden."
        value={outputs}
        onChange={setOutputs}
      />
      <LifetimeField value={lifetime} onChange={setLifetime} choices={lifetimes} className="max-w-48" />
      {previewed !== null && <SharePreviewBox {...{ orgId, run, outputs }} {...previewed} />}
      {create.error !== null && <ErrorAlert title="The link could not be created" {...describeError(create.error)} />}
      <DialogFooter>
        <DialogCancel />
        <Button type="submit" pending={create.isPending} disabled={range === null}>
          Create link
        </Button>
      </DialogFooter>
    </form>
  );
}

function parseRange(from: string, to: string): { fromSeq: number; toSeq: number } | null {
  const [fromSeq, toSeq] = [from, to].map((text) => (/^[1-9]\d{0,8}$/.test(text.trim()) ? Number(text) : 0));
  if (!fromSeq || !toSeq || fromSeq > toSeq || toSeq > skipMax) return null;
  return { fromSeq, toSeq };
}
