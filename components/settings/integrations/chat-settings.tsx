import { Plus, X } from "lucide-react";
import { CheckField, TextField } from "#components/form/fields.tsx";
import { newKey } from "#components/form/merged.ts";
import type { SavedForm } from "#components/form/use-saved-form.ts";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { Draft } from "./draft.ts";

type ChatSettingsProps = { type: "slack" | "linear"; form: SavedForm<Draft> };

/** Repository of each channel or team, and Slack notifications. */
export function ChatSettings({ type, form }: ChatSettingsProps) {
  const place = type === "slack" ? "Channel ID" : "Team key";
  const { field, edit } = form;
  const { places } = form.values;
  const changePlace = (key: string, changes: Partial<Draft["places"][number]>) =>
    edit({ places: places.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="pb-1.5 font-medium text-sm">
          {type === "slack" ? "Repository for each channel" : "Repository for each team"}
        </legend>
        {places.map(({ key, place: id, repositoryId }) => (
          <div key={key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
            <TextField
              label={place}
              value={id}
              onChange={(next) => changePlace(key, { place: next })}
              placeholder={type === "slack" ? "C0123456789" : "ENG"}
            />
            <Field label="Repository">
              <RepositoryPicker
                repositoryId={repositoryId}
                onChange={(chosen) => changePlace(key, { repositoryId: chosen })}
              />
            </Field>
            <IconButton
              label={`Remove ${id === "" ? "this line" : id}`}
              onClick={() => edit({ places: places.filter((one) => one.key !== key) })}
            >
              <X />
            </IconButton>
          </div>
        ))}
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() => edit({ places: [...places, { key: newKey(), place: "", repositoryId: null }] })}
        >
          <Plus aria-hidden /> Add a {type === "slack" ? "channel" : "team"}
        </Button>
      </fieldset>
      {type === "slack" && (
        <>
          <TextField
            {...field("channel")}
            label="Channel for run notifications"
            hint="Its ID. The bot must be a member of it."
            placeholder="C0123456789"
          />
          <CheckField {...field("notifyWaiting")} label="When a run waits for an answer" />
          <CheckField {...field("notifyFinished")} label="When a run ends" />
        </>
      )}
    </>
  );
}

type RepositoryPickerProps = { repositoryId: number | null; onChange: (repositoryId: number) => void };

function RepositoryPicker({ repositoryId, onChange }: RepositoryPickerProps) {
  const { options, search } = useRepositoryOptions(useOrganization().id, repositoryId);
  return (
    <Combobox
      value={repositoryId === null ? null : String(repositoryId)}
      onValueChange={(value) => onChange(Number(value))}
      placeholder="Choose"
      options={options}
      {...search}
    />
  );
}
