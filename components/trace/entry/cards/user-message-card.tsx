"use client";

import { Bot, Info } from "lucide-react";
import { Island } from "#components/islands/island.tsx";
import { FoldedText } from "#components/text/fold.tsx";
import { JsonTree } from "#components/text/json-tree.tsx";
import { VisibleText } from "#components/text/visible-text.tsx";
import { FoldedMarkdown } from "#components/trace/entry/parts/folded-markdown.tsx";
import { duringTurnOf, saidIn, turnOriginOf } from "#components/trace/entry/parts/observation.ts";
import { Thought } from "#components/trace/entry/parts/thought.tsx";
import { useStoredOpen } from "#components/trace/reader/trace-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { loadable } from "#components/ui/use-loaded.ts";
import { fieldsOf, textField } from "#lib/contract/json-fields.ts";
import { interruptionOf } from "#lib/entry/interruption.ts";
import { type InjectedText, personTextOf } from "#lib/entry/person-text.ts";
import { serverNamesOf } from "#lib/entry/server-names.ts";
import type { CardProps } from "./card-props.ts";

// Few messages have files.
const attachedFiles = loadable(() => import("./attached-files.tsx").then(({ AttachedFiles }) => AttachedFiles));

const sessions: Record<string, { label: string; meaning: string }> = {
  new: { label: "new session", meaning: "The agent started fresh and knows nothing of the earlier turns." },
  continued: {
    label: "same session",
    meaning: "The agent continued in its open session.",
  },
  resumed: { label: "session resumed", meaning: "The agent resumed its own session." },
  loaded: { label: "session loaded", meaning: "The agent loaded its own session from its records." },
  seeded: {
    label: "new session, with a summary",
    meaning: "The agent's session could not be continued, so a new one was given a summary of the run so far.",
  },
};

/** A person's message: it starts a turn, or marks where one was interrupted. */
export function UserMessageCard({ entry }: CardProps) {
  const interruption = interruptionOf(entry.observation);
  if (interruption !== null) return <Interruption entry={entry} text={interruption.message} />;
  const { text, injected, rest } = messageOf(entry.observation);
  if (text === null && rest === null && injected.length > 0) return <Injected entry={entry} texts={injected} />;
  const origin = turnOriginOf(entry.tool_input);
  const during = duringTurnOf(entry.tool_input);
  const { attachments } = fieldsOf(entry.tool_input);
  const servers = serverNamesOf(entry.tool_input);
  const notice = textField(fieldsOf(entry.tool_input), "notice");
  const session = origin === null || origin.turn < 2 || origin.session === null ? null : sessions[origin.session];
  const card = (
    <div className="grid gap-2 rounded-lg border border-border bg-muted px-4 py-3 [--surface:var(--muted)]">
      {during !== null && <p className="font-medium text-[13px]">Message during turn {during}</p>}
      {origin !== null && origin.turn > 1 && (
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium text-[13px]">Turn {origin.turn}</span>
          {session !== null && session !== undefined && (
            <Badge variant="outline" title={session.meaning}>
              {session.label}
            </Badge>
          )}
        </p>
      )}
      {text !== null && (
        <FoldedMarkdown text={text} openKey={`${entry.seq}.message`} isPrompt charactersMax={3_000} linesMax={48} />
      )}
      {rest !== null && <JsonTree value={rest} label="Message" />}
      {injected.length > 0 && <Injected entry={entry} texts={injected} />}
      {Array.isArray(attachments) && (
        <Island part={attachedFiles} props={{ entry }} isWanted fallback={<Skeleton className="h-8" />} />
      )}
      {servers.length > 0 && (
        <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
          <VisibleText text={`MCP servers: ${servers.join(", ")}`} />
        </p>
      )}
      {notice !== null && (
        <p className="flex items-start gap-1.5 text-[13px] text-muted-foreground">
          <Info aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          <span className="min-w-0">
            <VisibleText text={notice} />
          </span>
        </p>
      )}
    </div>
  );
  // The agent's text up to that point.
  if (during === null || entry.thought === null) return card;
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      {card}
    </div>
  );
}

/** Words of a message, text added by a harness, and all other fields. */
function messageOf(value: unknown): { text: string | null; injected: InjectedText[]; rest: unknown } {
  const said = saidIn(value);
  if (said.text === null) return { text: null, injected: [], rest: said.rest };
  const { text, injected } = personTextOf(said.text);
  return { text: text === "" ? null : text, injected, rest: said.rest };
}

/** Text added by a harness in a person's name: less prominent, labelled with its tag, and folded if it is long. */
function Injected({ entry, texts }: CardProps & { texts: readonly InjectedText[] }) {
  return (
    <div className="grid min-w-0 gap-1.5">
      {withoutCommandParts(texts).map(({ tag, text }, place) => (
        <section
          // The texts of an entry never change places.
          // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same
          key={place}
          aria-label={wordsOfTag(tag)}
          className="min-w-0 overflow-hidden rounded-md border border-border border-dashed text-muted-foreground"
        >
          <p className="flex items-center gap-1.5 px-3 pt-1.5 text-xs">
            <Bot aria-hidden className="size-3.5 shrink-0" />
            {wordsOfTag(tag)}
            <span className="text-muted-foreground">· added by the agent's harness</span>
          </p>
          <InjectedBody text={text} openKey={`${entry.seq}.injected.${place}`} />
        </section>
      ))}
    </div>
  );
}

function InjectedBody({ text, openKey }: { text: string; openKey: string }) {
  const [isOpen, setOpen] = useStoredOpen(openKey);
  return <FoldedText text={text} ansi head={4} isOpen={isOpen} onOpenChange={setOpen} className="py-1.5" />;
}

/** A command called by the person, assembled from the harness's separate name and arguments. */
function withoutCommandParts(texts: readonly InjectedText[]): InjectedText[] {
  const name = texts.find(({ tag }) => tag === "command-name");
  if (name === undefined) return [...texts];
  const words = texts.find(({ tag }) => tag === "command-args")?.text ?? "";
  const others = texts.filter(({ tag }) => !tag.startsWith("command-"));
  return [{ tag: "command", text: `${name.text} ${words}`.trim() }, ...others];
}

/** `task-notification` as "Task notification". */
function wordsOfTag(tag: string): string {
  const words = tag.toLowerCase().replaceAll(/[-_]/g, " ").trim();
  return words === "" ? "Message" : words.charAt(0).toUpperCase() + words.slice(1);
}

function Interruption({ entry, text }: CardProps & { text: string }) {
  return (
    <div className="grid gap-2">
      <Thought text={entry.thought} seq={entry.seq} />
      <p className="text-[13px] text-muted-foreground [overflow-wrap:anywhere]">
        <span className="font-medium text-foreground">Interrupted.</span> <VisibleText text={text} />
      </p>
    </div>
  );
}
