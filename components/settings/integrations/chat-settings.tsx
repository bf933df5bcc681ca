import { Plus, X } from "lucide-react";
import { useRepositoryOptions } from "#components/repositories/use-repository-options.ts";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Draft } from "./draft.ts";

type ChatSettingsProps = { type: "slack" | "linear"; draft: Draft; onChange: (changes: Partial<Draft>) => void };

/** Repository of each channel or team, and Slack notifications. */
export function ChatSettings({ type, draft, onChange }: ChatSettingsProps) {
  const place = type === "slack" ? "Channel ID" : "Team key";
  const { places } = draft;
  const changePlace = (key: number, changes: Partial<Draft["places"][number]>) =>
    onChange({ places: places.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="pb-1.5 font-medium text-sm">
          {type === "slack" ? "Repository for each channel" : "Repository for each team"}
        </legend>
        {places.map(({ key, place: id, repositoryId }) => (
          <div key={key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-2">
            <Field label={place}>
              <Input
                value={id}
                onChange={(event) => changePlace(key, { place: event.target.value })}
                placeholder={type === "slack" ? "C0123456789" : "ENG"}
                autoComplete="off"
              />
            </Field>
            <Field label="Repository">
              <RepositoryPicker
                repositoryId={repositoryId}
                onChange={(chosen) => changePlace(key, { repositoryId: chosen })}
              />
            </Field>
            <IconButton
              label={`Remove ${id === "" ? "this line" : id}`}
              onClick={() => onChange({ places: places.filter((one) => one.key !== key) })}
            >
              <X />
            </IconButton>
          </div>
        ))}
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          onClick={() =>
            onChange({
              places: [
                ...places,
                { key: Math.max(-1, ...places.map(({ key }) => key)) + 1, place: "", repositoryId: null },
              ],
            })
          }
        >
          <Plus aria-hidden /> Add a {type === "slack" ? "channel" : "team"}
        </Button>
      </fieldset>
      {type === "slack" && (
        <>
          <Field label="Channel for run notifications" hint="Its ID. The bot must be a member of it.">
            <Input
              value={draft.channel}
              onChange={(event) => onChange({ channel: event.target.value })}
              placeholder="C0123456789"
              autoComplete="off"
            />
          </Field>
          <InlineField label="When a run waits for an answer">
            <Checkbox
              checked={draft.notifyWaiting}
              onCheckedChange={(isChecked) => onChange({ notifyWaiting: isChecked === true })}
            />
          </InlineField>
          <InlineField label="When a run ends">
            <Checkbox
              checked={draft.notifyFinished}
              onCheckedChange={(isChecked) => onChange({ notifyFinished: isChecked === true })}
            />
          </InlineField>
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
