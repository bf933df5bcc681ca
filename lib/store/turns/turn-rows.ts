import { z } from "zod";
import { AttachedFile } from "#lib/contract/runs/attachment.ts";
import type { NewTurn, TurnRow } from "#lib/store/runs/run-store.ts";

const Images = z.array(z.string());
const Attachments = z.array(AttachedFile);

/** The columns of a turn's message. */
export const messageColumns = ["number", "prompt", "images", "attachments", "model"] as const;

/** A turn's message from its {@link messageColumns}. */
export function turnRow(row: {
  number: number;
  prompt: string;
  images: string;
  attachments: string;
  model: string | null;
}): TurnRow {
  const { number, prompt, images, attachments, model } = row;
  const files = Attachments.parse(JSON.parse(attachments));
  return {
    number,
    prompt,
    images: Images.parse(JSON.parse(images)),
    ...(files.length > 0 ? { attachments: files } : {}),
    model,
  };
}

/** Values for the columns of a message's images and text files; those left out stay as they are. */
export function fileColumns({ images, attachments }: Pick<Partial<NewTurn>, "images" | "attachments">) {
  return {
    ...(images === undefined ? {} : { images: JSON.stringify(images), image_count: images.length }),
    ...(attachments === undefined
      ? {}
      : {
          attachments: JSON.stringify(attachments),
          attachment_names: JSON.stringify(attachments.map(({ text: _, ...facts }) => facts)),
        }),
  };
}
