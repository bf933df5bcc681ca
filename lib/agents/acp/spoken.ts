import { BoundedText } from "./bounded-text.ts";
import type { KeptImage } from "./message.ts";
import { storableText } from "./storable.ts";

/** A paragraph of the agent: reasoning, or text for the person. The text of an image says its type and size. */
export type Said = { kind: "thought" | "text"; text: string; image?: KeptImage };

/** `earlier`: text before a plan, which is the agent's answer only if it says nothing after it. */
type Piece = { kind: Said["kind"] | "earlier"; messageId: string | null; text: BoundedText; image?: KeptImage };

const piecesMax = 10_000;
const charactersMax = 2 * 1024 * 1024;

/** The agent's reasoning and text since its last tool, in order. Chunks of one message are joined; each message is a paragraph. */
export class Spoken {
  #pieces: Piece[] = [];
  #paragraphEnded = false;

  /** An image is a paragraph of its own. */
  addImage(text: string, image: KeptImage): void {
    this.#pieces.push(pieceOf({ kind: "text", text, image }, "text"));
    this.endParagraph();
  }

  add(kind: Said["kind"], text: string, messageId: string | null): void {
    const last = this.#pieces.at(-1);
    const continues =
      last !== undefined &&
      last.kind === kind &&
      (last.messageId === messageId || this.#pieces.length >= piecesMax) &&
      !this.#paragraphEnded;
    this.#paragraphEnded = false;
    const piece: Piece = continues ? last : { kind, messageId, text: new BoundedText(charactersMax) };
    piece.text.append(text);
    if (!continues) this.#pieces.push(piece);
  }

  /** Starts a new paragraph. */
  endParagraph(): void {
    this.#paragraphEnded = this.#pieces.length < piecesMax;
  }

  /** Whether there is text that may be the agent's answer. */
  get hasText(): boolean {
    return this.#pieces.some(({ kind }) => kind !== "thought");
  }

  /** Puts back what was taken, before what has been said since. */
  putBack(said: readonly Said[], textAs: "text" | "earlier"): void {
    this.#pieces.unshift(...said.map((one) => pieceOf(one, textAs)));
    this.endParagraph();
  }

  /** Returns everything and clears it. */
  takeAll(): Said[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.flatMap(({ kind, text, image }) => {
      const paragraph = storableText(text.read().text.trim());
      const said: Said = { kind: kind === "thought" ? kind : "text", text: paragraph, ...(image && { image }) };
      return paragraph === "" ? [] : [said];
    });
  }

  /** Returns reasoning and text separately, as paragraphs, with the text's images, and clears them. */
  takeApart(): { thought: string; text: string; images: KeptImage[] } {
    const pieces = this.#pieces;
    this.#pieces = [];
    const textKind = pieces.some(({ kind }) => kind === "text") ? "text" : "earlier";
    const of = (isText: boolean) =>
      paragraphs(pieces.filter(({ kind }) => (kind === textKind) === isText)).join("\n\n");
    return { thought: of(false), text: of(true), images: imagesIn(pieces) };
  }

  /** The end of the reasoning and of the text so far, at most 16,384 characters each. */
  recent(): { thought: string; text: string } {
    const of = (kind: Said["kind"]) => {
      let recent = "";
      for (const piece of this.#pieces.slice(-50)) {
        if ((piece.kind === "text" ? "text" : "thought") !== kind) continue;
        recent += `${recent === "" ? "" : "\n\n"}${piece.text.recent()}`;
      }
      return storableText(recent.slice(-16_384).trimStart());
    };
    return { thought: of("thought"), text: of("text") };
  }
}

/** The images of what was said, in order. */
export function imagesIn(said: readonly { image?: KeptImage }[]): KeptImage[] {
  return said.flatMap(({ image }) => image ?? []);
}

function pieceOf({ kind, text, image }: Said, textAs: "text" | "earlier"): Piece {
  const piece: Piece = { kind: kind === "text" ? textAs : kind, messageId: null, text: new BoundedText(charactersMax) };
  piece.text.append(text);
  return image === undefined ? piece : { ...piece, image };
}

function paragraphs(pieces: Piece[]): string[] {
  return pieces.map((piece) => storableText(piece.text.read().text.trim())).filter((text) => text !== "");
}
