"use client";

import { type FormEvent, useState } from "react";
import { fieldMessages } from "#lib/client/client-error.ts";
import { editedOf, merged } from "./merged.ts";

type SavedFormOptions<Values, Body, Request, Answer> = {
  /** The form's values for what is saved now. Names of fields are the API's, so that its messages find them. */
  saved: Values;
  /** The values as the API has them. */
  bodyOf: (values: Values) => Body;
  /** Sends the request. */
  mutation: {
    mutate: (request: Request, more: { onSuccess: (answer: Answer) => void }) => void;
    isPending: boolean;
    error: unknown;
    reset: () => void;
  };
  /** The request that saves the changed fields of the body, or null if it cannot be made yet. */
  requestOf: (changes: Partial<Body>, edits: Edits<Values>) => Request | null;
  onSaved?: (answer: Answer, sent: Values) => void;
  /** Why the person may not save, or null. */
  refusal?: string | null;
  /** Whether what is unchanged can be saved too. */
  savesUnchanged?: boolean;
  /** Values that the form begins with as edits. */
  initial?: Values | null;
  /** Version of what is saved: another one is a conflict, for the person to decide, instead of merged with the edits. */
  version?: { now: number; of: (answer: Answer) => number };
};

/** Edited values, what they began with, and its version. */
export type Edits<Values> = { values: Values; base: Values; version: number | undefined };

/** What the footer of a form needs to know of it. */
export type FormState = {
  isChanged: boolean;
  isSaving: boolean;
  /** Why nothing can be saved now, or null. */
  refusal: string | null;
  /** Why the last request failed, or null. */
  error: unknown;
  onRetry?: () => void;
  /** Messages of a refused request by field; those for none are under `""`. */
  errors: Partial<Record<string, string>>;
  /** Another version was saved since the edits began. */
  isConflict: boolean;
  /** Bases the edits on that version. */
  keepMine: () => void;
  /** Shows what is saved. */
  discard: () => void;
};

/** The form's values, what edits them, and its attributes. */
export type SavedForm<Values extends object> = {
  state: FormState;
  values: Values;
  edit: (part: Partial<Values>) => void;
  errors: FormState["errors"];
  /** Saves the values and others, which are not edited in the form. */
  submit: (others?: Partial<Values>) => void;
  /** Attributes of the form. */
  attributes: { noValidate: true; onSubmit: (event: FormEvent) => void };
  /** Value and message of a field, and what edits it. */
  field: <Name extends keyof Values & string>(
    name: Name,
  ) => { value: Values[Name]; onChange: (value: Values[Name]) => void; error: string | undefined };
};

/**
 * A form for something that is saved. What others save while it is being edited is merged with the edits, and what is edited while
 * it is being saved stays.
 */
export function useSavedForm<Values extends object, Body extends object, Request, Answer>({
  saved,
  bodyOf,
  mutation,
  requestOf,
  onSaved,
  refusal = null,
  savesUnchanged = false,
  initial = null,
  version,
}: SavedFormOptions<Values, Body, Request, Answer>): SavedForm<Values> {
  const unedited = { values: saved, base: saved, version: version?.now };
  const [edits, setEdits] = useState<Edits<Values> | null>(initial && { ...unedited, values: initial });
  const changesOf = ({ values, base }: Edits<Values>) => editedOf(bodyOf(values), bodyOf(base));
  const hasChanges = (one: Edits<Values>) => Object.keys(changesOf(one)).length > 0;
  const isOld = (one: Edits<Values>) => one.version !== version?.now && hasChanges(one);
  const current = (one: Edits<Values> | null): Edits<Values> =>
    one === null ? unedited : isOld(one) ? one : { ...unedited, values: merged(one.values, one.base, saved) };
  const shown = current(edits);
  const { values } = shown;
  const isChanged = hasChanges(shown);
  const errors = fieldMessages(mutation.error, [...Object.keys(saved), ...Object.keys(bodyOf(values))]);
  const edit = (part: Partial<Values>) =>
    setEdits((now) => ({ ...current(now), values: { ...current(now).values, ...part } }));

  function submit(part: Partial<Values> = {}) {
    if (refusal !== null || mutation.isPending || !(isChanged || savesUnchanged)) return;
    const sent = { ...shown, values: { ...values, ...part } };
    const request = requestOf(changesOf(sent), sent);
    if (request === null) return;
    mutation.mutate(request, {
      onSuccess: (answer) => {
        setEdits((now) => now && { values: now.values, base: sent.values, version: version?.of(answer) });
        onSaved?.(answer, sent.values);
      },
    });
  }
  const state: FormState = {
    isChanged,
    isSaving: mutation.isPending,
    refusal: refusal ?? (isChanged || savesUnchanged || mutation.isPending ? null : "No changes to save"),
    error: mutation.error,
    errors,
    isConflict: isOld(shown) && !mutation.isPending,
    keepMine() {
      setEdits({ ...unedited, values });
      // It said that there is another version.
      mutation.reset();
    },
    discard() {
      setEdits(null);
      mutation.reset();
    },
  };
  return {
    state,
    values,
    edit,
    errors,
    submit,
    attributes: {
      noValidate: true,
      onSubmit(event) {
        event.preventDefault();
        submit();
      },
    },
    field: (name) => ({
      value: values[name],
      onChange: (value) => edit({ [name]: value } as unknown as Partial<Values>),
      error: errors[name],
    }),
  };
}

/** A form for something new: its values begin blank, and are sent as a whole. */
export function useNewForm<Values extends object, Body extends object, Answer>({
  blank,
  bodyOf,
  mutation,
  onSaved,
}: {
  blank: Values;
  onSaved?: (answer: Answer) => void;
} & Pick<SavedFormOptions<Values, Body, Body, Answer>, "bodyOf" | "mutation">): SavedForm<Values> {
  const requestOf = (_: Partial<Body>, { values }: Edits<Values>) => bodyOf(values);
  return useSavedForm({ saved: blank, bodyOf, mutation, requestOf, onSaved, savesUnchanged: true });
}
