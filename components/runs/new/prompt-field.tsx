"use client";

import { Eye, Pencil, X } from "lucide-react";
import Image from "next/image";
import { type ClipboardEvent, type DragEvent, type RefObject, Suspense, useRef, useState } from "react";
import { AttachButton } from "#components/runs/attach/attach-button.tsx";
import { FileChips } from "#components/runs/attach/file-chips.tsx";
import { addTextFiles, type TextFile } from "#components/runs/attach/read-text-files.ts";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/class-names.ts";
import { Field } from "#components/ui/field.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { lazyPart } from "#components/ui/use-loaded.ts";
import { addImages, imageTypes } from "./read-images.ts";

const Markdown = lazyPart(async () => (await import("#components/text/markdown.tsx")).Markdown);

type PromptFieldProps = {
  prompt: string;
  images: readonly string[];
  attachments: readonly TextFile[];
  onPromptChange: (prompt: string) => void;
  onFilesChange: (files: { images?: string[]; attachments?: TextFile[] }) => void;
  error: string | undefined;
  filesError: string | undefined;
  promptRef: RefObject<HTMLTextAreaElement | null>;
};

/** The task as text, images and text files, which can be pasted, dropped or chosen. */
export function PromptField(props: PromptFieldProps) {
  const { prompt, images, attachments, onPromptChange, onFilesChange, error, filesError } = props;
  const [refusals, setRefusals] = useState<string[]>([]);
  const [isOver, setOver] = useState(false);
  const [wantsPreview, setPreview] = useState(false);
  const isPreview = wantsPreview && prompt.trim() !== "";
  // Files chosen while others are still being read are added to those.
  const latest = useRef({ images, attachments });
  latest.current = { images, attachments };
  const adding = useRef(Promise.resolve());

  function add(files: File[]) {
    adding.current = adding.current.then(async () => {
      const before = latest.current;
      const isImage = ({ type }: File) => imageTypes.includes(type);
      const pictures = await addImages(before.images, files.filter(isImage));
      const texts = await addTextFiles(
        before.attachments,
        files.filter((file) => !isImage(file)),
      );
      setRefusals([...pictures.refusals, ...texts.refusals]);
      // Those that were there may have been removed by now.
      const now = latest.current;
      const next = {
        images: [...now.images, ...pictures.images.filter((image) => !before.images.includes(image))],
        attachments: [...now.attachments, ...texts.files.filter((file) => !before.attachments.includes(file))],
      };
      latest.current = next;
      onFilesChange(next);
    });
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    // Text copied from an office program includes a picture of itself: use only the text.
    if (files.length === 0 || event.clipboardData.types.includes("text/plain")) return;
    event.preventDefault();
    add(files);
  }

  function onDrop(event: DragEvent) {
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  }

  const focusPrompt = () => props.promptRef.current?.focus();
  const trouble = [...refusals, filesError].filter((text) => text !== undefined).join(" ");
  return (
    <div className="grid gap-2">
      <Field
        label="Prompt"
        required
        error={error}
        hint="Describe the task and how to verify it. Markdown supported; paste or drop images and text files here."
      >
        <Textarea
          ref={props.promptRef}
          value={prompt}
          onChange={(event) => onPromptChange(event.target.value)}
          onPaste={onPaste}
          onDrop={onDrop}
          onDragOver={(event) => {
            if (!event.dataTransfer.types.includes("Files")) return;
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          className={cn(
            "max-h-[60dvh] min-h-44 px-3 py-2.5 leading-6",
            isOver && "outline-2 outline-ring",
            isPreview && "hidden",
          )}
        />
        {isPreview && (
          <section aria-label="Prompt preview" className="min-h-44 rounded-md border border-border px-3 py-2.5">
            <Suspense>
              <Markdown text={prompt} isPrompt />
            </Suspense>
          </section>
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2">
        {images.map((image, index) => (
          <Thumbnail
            key={imageKey(image)}
            image={image}
            label={`Image ${index + 1}`}
            onRemove={() => onFilesChange({ images: images.filter((_, at) => at !== index) })}
          />
        ))}
        <FileChips
          files={attachments}
          onChange={(left) => onFilesChange({ attachments: left })}
          onLeave={focusPrompt}
        />
        <AttachButton onFiles={add}>Attach files</AttachButton>
        <Button variant="ghost" size="sm" disabled={prompt.trim() === ""} onClick={() => setPreview(!isPreview)}>
          {isPreview ? <Pencil aria-hidden /> : <Eye aria-hidden />} {isPreview ? "Write" : "Preview"}
        </Button>
      </div>
      {trouble !== "" && (
        <p role="alert" className="text-[13px] text-destructive">
          {trouble}
        </p>
      )}
    </div>
  );
}

/** No image occurs twice (addImages), so its end is a sufficient key. */
function imageKey(image: string): string {
  return `${image.length} ${image.slice(-256)}`;
}

function Thumbnail({ image, label, onRemove }: { image: string; label: string; onRemove: () => void }) {
  return (
    <div className="relative">
      {/* A data URL: there is nothing for an image server to do. */}
      <Image
        unoptimized
        src={image}
        alt={label}
        width={64}
        height={64}
        className="size-16 rounded-md border border-border object-cover"
      />
      <IconButton
        label={`Remove ${label.toLowerCase()}`}
        variant="outline"
        size="icon-sm"
        className="absolute -top-2 -right-2 size-6 rounded-full pointer-coarse:size-8"
        onClick={onRemove}
      >
        <X className="size-3" />
      </IconButton>
    </div>
  );
}
