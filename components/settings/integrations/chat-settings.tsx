import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { useOrganization } from "#components/session/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Field, InlineField } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "#components/ui/select.tsx";
import { repositoriesQuery } from "#lib/client/queries.ts";
import type { Draft } from "./draft.ts";

type ChatSettingsProps = { type: "slack" | "linear"; draft: Draft; onChange: (changes: Partial<Draft>) => void };

/** Which repository a channel or team means, and what Slack is told of runs. */
export function ChatSettings({ type, draft, onChange }: ChatSettingsProps) {
  const { id: orgId } = useOrganization();
  const { data } = useQuery(repositoriesQuery(orgId));
  const place = type === "slack" ? "Channel id" : "Team key";
  const { places } = draft;
  const changePlace = (key: number, changes: Partial<Draft["places"][number]>) =>
    onChange({ places: places.map((one) => (one.key === key ? { ...one, ...changes } : one)) });
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="pb-1.5 font-medium text-sm">
          {type === "slack" ? "Repository of each channel" : "Repository of each team"}
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
              <Select
                value={repositoryId === null ? "" : String(repositoryId)}
                onValueChange={(value) => changePlace(key, { repositoryId: Number(value) })}
              >
                <SelectTrigger>
                  <SelectValue placeholder="Choose" />
                </SelectTrigger>
                <SelectContent>
                  {(data?.items ?? []).map(({ id: repoId, full_name }) => (
                    <SelectItem key={repoId} value={String(repoId)}>
                      {full_name}
                    </SelectItem>
                  ))}
                </SelectContent>
              </Select>
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
          <Field label="Channel to tell of runs" hint="Its id. The bot must be a member of it.">
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
