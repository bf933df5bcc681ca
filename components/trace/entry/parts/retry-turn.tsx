"use client";

import { useMutation } from "@tanstack/react-query";
import { RotateCcw } from "lucide-react";
import { useContext } from "react";
import { type Retry, RetryContext } from "#components/trace/reader/retry-context.ts";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { describeError } from "#lib/client/client-error.ts";
import { useResumeRun } from "#lib/client/pages/mutations.ts";
import { call } from "#lib/client/request.ts";
import { fieldsOf, numberField } from "#lib/contract/json-fields.ts";
import { attachedFilesOf } from "#lib/entry/attached-files.ts";
import { messageTextOf } from "#lib/entry/person-text.ts";

/** Shows nothing for an error that does not end the run, or that this reader may not retry. */
export default function RetryTurn({ seq }: { seq: number }) {
  const retry = useContext(RetryContext);
  return retry?.run.total_logs === seq ? <RetryButton {...retry} /> : null;
}

/**
 * Sends the failed turn's message again, with its text files. The log does not keep images, so a message with images must be sent
 * by hand.
 */
function RetryButton({ run: { id: runId, organization_id: orgId }, onRun }: Retry) {
  const resume = useResumeRun(orgId);
  const retry = useMutation({
    mutationFn: async () => {
      const message = await findMessage(orgId, runId);
      if (message === null) throw new Error("The message of the turn is not in the log. Write it again below.");
      if (message.images > 0)
        throw new Error("The message had images, which the log does not keep. Send it again below.");
      const { text: prompt, attachments } = message;
      const again = { agent_run_id: runId, prompt, ...(attachments.length > 0 ? { attachments } : {}) };
      return { run: await resume.mutateAsync(again), prompt };
    },
    onSuccess: ({ run, prompt }) => onRun(run, prompt),
  });
  return (
    <>
      <Button variant="outline" size="sm" className="w-fit" pending={retry.isPending} onClick={() => retry.mutate()}>
        {!retry.isPending && <RotateCcw aria-hidden />}
        Retry
      </Button>
      {retry.isError && <ErrorAlert title="The message was not sent again" {...describeError(retry.error)} />}
    </>
  );
}

/** The complete message that began the run's last turn, with its number of images; null if there is none. */
async function findMessage(orgId: number, runId: number) {
  const params = { org_id: orgId, agent_run_id: runId };
  const query = { message_type: "USER_MESSAGE", reverse: "true", limit: 20 };
  const { logs } = await call("getLogs", { params, query });
  const begins = logs.find(({ tool_input }) => numberField(fieldsOf(tool_input), "turn") !== null);
  const text = messageTextOf(begins?.observation ?? null);
  if (text === null) return null;
  const files = attachedFilesOf(begins?.tool_input);
  return {
    text,
    images: numberField(fieldsOf(begins?.tool_input), "images") ?? 0,
    attachments: files.map((file) => ({ name: file.name, media_type: file.mediaType, text: file.text })),
  };
}
