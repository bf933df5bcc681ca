"use client";

import { createContext, useContext } from "react";

/** Context that a field provides to its control. */
export type FieldControl = {
  id: string;
  labelId: string;
  /** Ids of the hint and the error, or undefined if there are none. */
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
};

export const FieldContext = createContext<FieldControl | null>(null);

type ControlProps = {
  id?: string | undefined;
  required?: boolean | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling" | undefined;
};

/** Attributes that connect a control to its field. Its own attributes win; outside a field they pass unchanged. */
export function useFieldControl(props: ControlProps): ControlProps {
  const field = useContext(FieldContext);
  return {
    id: props.id ?? field?.id,
    required: props.required ?? (field?.required || undefined),
    "aria-describedby": props["aria-describedby"] ?? field?.describedBy,
    "aria-invalid": props["aria-invalid"] ?? (field?.invalid || undefined),
  };
}

/** Id of the surrounding field's label, for controls that `<label for>` cannot name (a radio group). */
export function useFieldLabelId(): string | undefined {
  return useContext(FieldContext)?.labelId;
}
