"use client";

import { type FormEvent, useId, useState } from "react";
import { ErrorAlert } from "#components/ui/alert.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { useFieldControl } from "#components/ui/field-context.ts";
import { Input } from "#components/ui/input.tsx";
import { NativeSelect } from "#components/ui/native-select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { Reader } from "./read-docs.ts";
import { TryAnswerBox } from "./try-answer.tsx";
import type { TryField, TryOperation } from "./try-operation.ts";
import { tryRequest } from "./try-request.ts";
import { useTry } from "./use-try.ts";

export type TryFormProps = { operation: TryOperation; reader: Reader };

type Ready = { path: string; init: RequestInit };

/** Form for an operation's parameters; sends it with the reader's session. Changes ask for confirmation first. */
export function TryForm({ operation, reader }: TryFormProps) {
  const { method, summary, fields, accepts } = operation;
  const [values, setValues] = useState(() => fields.map(({ value }) => value));
  const [body, setBody] = useState(operation.body ?? "");
  const [wrong, setWrong] = useState<{ field: string | null; problem: string } | null>(null);
  const [asking, setAsking] = useState<Ready | null>(null);
  const { state, send, stop } = useTry();
  const isSending = state.kind === "sending";

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const request = tryRequest(operation, { values, body });
    if ("problem" in request) return setWrong(request);
    setWrong(null);
    if (method === "GET") void send(request.path, request.init);
    else setAsking(request);
  }

  return (
    <div className="grid min-w-0 gap-4">
      {/* What is edited has to be confirmed again. */}
      <form noValidate onSubmit={onSubmit} onChange={() => setAsking(null)} className="grid min-w-0 gap-4">
        <div className="grid min-w-0 gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
          {fields.map((field, index) => (
            <Field
              key={`${field.place} ${field.name}`}
              label={<code>{field.name}</code>}
              hint={field.hint}
              required={field.isRequired}
              error={wrong?.field === field.name ? wrong.problem : null}
              className="content-start"
            >
              <Control
                field={field}
                value={values[index] ?? ""}
                onChange={(value) => setValues(values.with(index, value))}
              />
            </Field>
          ))}
        </div>
        {operation.body !== null && (
          <Field label="Body, as JSON" error={wrong?.field === null ? wrong.problem : null}>
            <Textarea
              value={body}
              spellCheck={false}
              className="font-mono text-[13px]"
              onChange={({ target }) => setBody(target.value)}
            />
          </Field>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" size="sm" pending={isSending}>
            Send
          </Button>
          {isSending && accepts === "text/event-stream" && (
            <Button variant="outline" size="sm" onClick={stop}>
              Stop
            </Button>
          )}
          <span className="text-[13px] text-muted-foreground">
            Sent with your session, as {reader.userName} in {reader.organizationName}.
          </span>
        </div>
      </form>
      {asking !== null && (
        <Confirm
          request={asking}
          summary={summary}
          onCancel={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null);
            void send(asking.path, asking.init);
          }}
        />
      )}
      {state.kind === "failed" && <ErrorAlert title="No response" detail={state.problem} />}
      {(state.kind === "answered" || state.kind === "sending") && state.answer !== null && (
        <TryAnswerBox answer={state.answer} operationId={operation.id} />
      )}
    </div>
  );
}

type ControlProps = { field: TryField; value: string; onChange: (value: string) => void };

function Control({ field, value, onChange }: ControlProps) {
  if (field.choices.length > 0) return <Choice {...{ field, value, onChange }} />;
  return (
    <Input
      value={value}
      spellCheck={false}
      autoComplete="off"
      className="font-mono text-[13px]"
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Choice({ field, value, onChange }: ControlProps) {
  const control = useFieldControl({});
  return (
    <NativeSelect
      {...control}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="font-mono text-[13px]"
    >
      <option value="">{field.isRequired ? "Choose" : "Not sent"}</option>
      {field.choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </NativeSelect>
  );
}

type ConfirmProps = { request: Ready; summary: string; onConfirm: () => void; onCancel: () => void };

function Confirm({ request: { path, init }, summary, onConfirm, onCancel }: ConfirmProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-2.5 rounded-lg border border-status-waiting/40 bg-card px-3 py-2.5"
    >
      <p id={id}>
        <strong className="font-medium">This is a real request.</strong> It sends{" "}
        <code className="break-all">
          {init.method} {path}
        </code>
        : {summary}.
      </p>
      <div className="flex gap-2">
        <Button autoFocus size="sm" onClick={onConfirm}>
          Send it
        </Button>
        <Button variant="outline" size="sm" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
