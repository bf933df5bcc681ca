import type { Progress } from "#lib/contract/runs/progress.ts";
import type { KeptImage } from "./message.ts";
import { imagesIn, type Said, Spoken } from "./spoken.ts";
import type { ToolCall } from "./tool-call.ts";

/** What was said in a turn and has no entry yet: by the main agent, and, apart from that, by its sub-agents and other sessions. */
export class TurnWords {
  readonly #main = new Spoken();
  readonly #aside = new Spoken();
  /** The main agent's last text that became the thought of a call, since the person's last message. */
  #lastText: string | null = null;

  add(kind: Said["kind"], text: string, messageId: string | null, isAside: boolean): void {
    (isAside ? this.#aside : this.#main).add(kind, text, messageId);
  }

  /** An image that the main agent shows the person. */
  addImage(text: string, image: KeptImage): void {
    this.#main.addImage(text, image);
  }

  /** Takes the thought of a call: what was said by whoever makes it. */
  takeFor({ isAside }: ToolCall): Said[] {
    if (isAside) return this.#aside.takeAll();
    const said = this.#main.takeAll();
    const text = said.filter(({ kind }) => kind === "text").map((one) => one.text);
    if (text.length > 0) this.#lastText = text.join("\n\n");
    return said;
  }

  /** Gives back the thought of a plan, which is no action: it goes to the next one. */
  putBack({ isAside, thought }: ToolCall): void {
    (isAside ? this.#aside : this.#main).putBack(thought, "earlier");
  }

  endParagraph(): void {
    this.#main.endParagraph();
  }

  /** Takes everything as one thought, null if nothing was said, and its images. What was said before is no answer any more. */
  takeThought(): { thought: string | null; images: KeptImage[] } {
    this.#lastText = null;
    const said = this.#main.takeAll();
    const parts = [...said.map(({ text }) => text), this.#takeAside()].filter((part) => part !== "");
    return { thought: parts.join("\n\n") || null, images: imagesIn(said) };
  }

  /**
   * Text before calls that have not ended is no reason for something done, so it may be the answer: takes it back if nothing was
   * said since.
   */
  takeBackFrom(open: Iterable<ToolCall>): void {
    if (this.#main.hasText) return;
    const call = [...open].findLast(({ thought }) => thought.some(({ kind }) => kind === "text"));
    if (call === undefined || call.isAside) return;
    this.#main.putBack(call.thought, "text");
    call.thought = [];
  }

  /** Takes thought and answer. `mayBeEarlier`: without text after the last call, the last text before it is the answer. */
  takeAnswer(mayBeEarlier: boolean): { thought: string | null; text: string | null; images: KeptImage[] } {
    const { thought, text, images } = this.#main.takeApart();
    const earlier = text === "" && mayBeEarlier ? this.#lastText : null;
    const parts = [thought, earlier === null ? "" : saidBefore, this.#takeAside()];
    return { thought: parts.filter((part) => part !== "").join("\n\n") || null, text: text || earlier, images };
  }

  /** The end of what the main agent has said since its last call. */
  recent(): Pick<Progress, "thought" | "text"> {
    return this.#main.recent();
  }

  /** Words of others that no call of theirs took, with a heading; empty if there are none. */
  #takeAside(): string {
    const said = this.#aside.takeAll().map(({ text }) => text);
    return said.length === 0 ? "" : ["Sub-agents said:", ...said].join("\n\n");
  }
}

/** The thought of an answer that is the thought of an earlier step, too. */
const saidBefore = "The agent said this before its last step, and nothing after it.";
