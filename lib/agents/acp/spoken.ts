import { BoundedText } from "./bounded-text.ts";
import { storableText } from "./storable.ts";

type Piece = { kind: "thought" | "text"; messageId: string | null; text: BoundedText };

const piecesMax = 10_000;
const charactersMax = 2 * 1024 * 1024;

/** The agent's reasoning and text since its last tool, in order. Chunks of one message are joined; each message is a paragraph. */
export class Spoken {
  #pieces: Piece[] = [];
  #paragraphEnded = false;

  add(kind: Piece["kind"], text: string, messageId: string | null): void {
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

  /** Returns everything and clears it. */
  takeAll(): string[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return paragraphs(pieces);
  }

  /** Returns reasoning and text separately, as paragraphs, and clears them. */
  takeApart(): { thought: string; text: string } {
    const pieces = this.#pieces;
    this.#pieces = [];
    const of = (kind: Piece["kind"]) => paragraphs(pieces.filter((piece) => piece.kind === kind)).join("\n\n");
    return { thought: of("thought"), text: of("text") };
  }

  /** The end of the reasoning and of the text so far, at most 16,384 characters each. */
  recent(): { thought: string; text: string } {
    const of = (kind: Piece["kind"]) => {
      let recent = "";
      for (const piece of this.#pieces.slice(-50)) {
        if (piece.kind !== kind) continue;
        recent += `${recent === "" ? "" : "\n\n"}${piece.text.recent()}`;
      }
      return storableText(recent.slice(-16_384).trimStart());
    };
    return { thought: of("thought"), text: of("text") };
  }
}

function paragraphs(pieces: Piece[]): string[] {
  return pieces.map((piece) => storableText(piece.text.read().text.trim())).filter((text) => text !== "");
}
