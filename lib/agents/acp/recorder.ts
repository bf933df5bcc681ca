// One state machine of 330 lines: each message changes the same few fields.
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import { CallIds, isBookkeeping } from "./call-ids.ts";
import { errorEntry, type RecordedError } from "./error-entry.ts";
import { InFlight } from "./in-flight.ts";
import {
  blockText,
  ContentBlock,
  imageOf,
  isNoise,
  keptImages,
  keptImageText,
  noticeText,
  type PermissionRequest,
  type ToolFields,
  type Update,
} from "./message.ts";
import { checklist, type PlanItem, planEntry, planItems, planOfTool } from "./plan.ts";
import { storableText } from "./storable.ts";
import {
  type Asked,
  answerOf,
  askedFor,
  type FileDiff,
  mergeToolFields,
  type PermissionAnswer,
  ToolCall,
  toolName,
} from "./tool-call.ts";
import { actionEntry, type Closing, reportedExit, toolCallId, withImages } from "./tool-entry.ts";
import type { MessageOrigin, TurnOrigin } from "./turn-origin.ts";
import { TurnWords } from "./turn-words.ts";

/**
 * Turns an agent's ACP messages into log entries: a state machine without side effects. Each method takes one message and returns
 * the entries that it finishes. A tool call becomes an entry when it ends; text before it and while it was open is its thought.
 */
export class Recorder {
  readonly #cwd: string;
  readonly #now: () => Date;
  readonly #lineOf: (diff: FileDiff) => number | null;
  #open = new Map<string, ToolCall>();
  /** Calls that already have an entry, by the turn in which they ended; later updates of them are dropped. */
  #closed = new Map<string, number>();
  #words = new TurnWords();
  readonly #ids = new CallIds();
  #turn = 0;
  #stopping = false;
  #refused = false;
  #lastPlan = "";
  /** What of {@link keptImages} is left for images that the agent shows in this turn. */
  #imageRoom = keptImages;
  readonly #inFlight = new InFlight();

  /** `lineOf`: the line on which an applied change begins; null if unknown. */
  constructor(options: { cwd: string; now: () => Date; lineOf?: (diff: FileDiff) => number | null }) {
    this.#cwd = options.cwd;
    this.#now = options.now;
    this.#lineOf = options.lineOf ?? (() => null);
  }

  /** A turn begins: its USER_MESSAGE. */
  begin(prompt: string, origin: TurnOrigin): NewEntry[] {
    this.#turn += 1;
    this.#stopping = false;
    this.#refused = false;
    this.#open.clear();
    this.#ids.beginTurn();
    this.#words = new TurnWords();
    this.#lastPlan = "";
    this.#imageRoom = keptImages;
    return [this.#entry("USER_MESSAGE", { tool_input: { ...origin }, observation: storableText(prompt) })];
  }

  /** The agent has received a further message. What it said until then is a thought, because it cannot answer that message. */
  message(text: string, origin: MessageOrigin): NewEntry[] {
    return this.#afterWords("USER_MESSAGE", { tool_input: { ...origin }, observation: storableText(text) });
  }

  /**
   * One `session/update`. Of another session than the turn's own (`other`), only calls and words count, and they are no part of the
   * main agent's thought and answer.
   */
  update(update: Update, other: string | null = null): NewEntry[] {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const text = blockText(update.content);
        if (text === "" || isNoise(text)) return [];
        const finding = update._meta?.errand?.finding;
        if (finding != null && update.sessionUpdate === "agent_thought_chunk") {
          const { section, seqs } = finding;
          return [this.#entry("PLAN_EVALUATION", { thought: storableText(text), tool_input: { section, seqs } })];
        }
        const refused = this.#closeRefused();
        const kind = update.sessionUpdate === "agent_message_chunk" ? "text" : "thought";
        const isAside = other !== null || Boolean(update._meta?.claudeCode?.parentToolUseId);
        if (kind === "thought" || isAside || !this.#keepImage(update.content)) {
          this.#words.add(kind, text, update.messageId ?? null, isAside);
        }
        return refused;
      }
      case "tool_call":
      case "tool_call_update":
        return this.#toolUpdate(update, update.sessionUpdate === "tool_call", other);
      case "plan":
        return other === null ? this.#plan(planItems(update.entries), null) : [];
      case "notice":
        if (update.severity !== "error") return [];
        return [errorEntry({ code: "agent_notice", message: noticeText(update) }, this.#now())];
      case "usage_update":
      case "session_info_update":
        return [];
    }
  }

  /** The agent asks for permission; the tool may be seen here for the first time. `request` gets the id of its call. */
  permissionAsked(request: PermissionRequest, other: string | null = null): NewEntry[] {
    const fields = request.toolCall;
    fields.toolCallId =
      this.#ids.idOf(fields, other, this.#open.values(), ({ asked }) => asked === null) ?? this.#ids.unnamed();
    const { toolCallId } = fields;
    const isFurther = this.#open.get(toolCallId)?.asked != null;
    // A request about a call that has ended, or that was asked about before, has an entry of its own: it must be told, too.
    if (isFurther || this.#closed.get(toolCallId) === this.#turn) fields.toolCallId = this.#ids.unnamed();
    const refused = this.#closeRefused(toolCallId);
    const call = this.#getCall(fields, other);
    if (isFurther) call.about = toolCallId;
    call.asked = askedFor(call, fields, this.#cwd);
    mergeToolFields(call, fields, this.#cwd, true);
    return refused;
  }

  /** What a request asks for, also if its call has ended. */
  askedBy({ toolCall }: PermissionRequest): Asked {
    const call = this.#open.get(toolCall.toolCallId) ?? new ToolCall(toolCall.toolCallId, this.#now());
    return call.asked ?? askedFor(call, toolCall, this.#cwd);
  }

  /** The request was answered. Its waiting time does not count for the tool, which may have ended meanwhile. */
  permissionAnswered(toolCallId: string, answer: PermissionAnswer): NewEntry[] {
    const call = this.#open.get(toolCallId);
    if (call === undefined) return [];
    call.permission = answer;
    if (answer.decision === "rejected") this.#refused = true;
    const about = call.about === null ? undefined : this.#open.get(call.about);
    if (about !== undefined && answer.decision === "allowed") about.allowedLater ??= answer;
    call.startedAt = this.#now();
    return this.#settle(call);
  }

  /** The turn is being stopped: tools that end now without their own result were cancelled. */
  stopping(): void {
    this.#stopping = true;
  }

  /**
   * The turn ended well: the FINAL_ANSWER. `result` is the answer: what the main agent said after its last call; else, unless a
   * permission was refused, the last text that it said before; null if it said nothing.
   */
  complete(): { entries: NewEntry[]; result: string | null } {
    if (!this.#refused) this.#words.takeBackFrom(this.#open.values());
    const entries = this.#closeAll("unfinished");
    const { thought, text: result, images } = this.#words.takeAnswer(!this.#refused);
    const text = result ?? `(the agent ended its turn without a closing message${this.#afterRefusal})`;
    const answer = this.#entry("FINAL_ANSWER", { thought, observation: withImages(text, images) });
    return { entries: [...entries, answer], result };
  }

  /** The agent itself ended the turn as cancelled, as some do when a permission is refused. */
  cancelledByAgent(): NewEntry[] {
    return this.cancel(`The agent ended its turn as cancelled${this.#afterRefusal}.`);
  }

  get #afterRefusal(): string {
    return this.#refused ? ", after a permission was refused" : "";
  }

  /** The turn was cancelled; `message` says by whom. The agent's text so far is the thought. */
  cancel(message: string): NewEntry[] {
    const entries = this.#closeAll("cancelled");
    const observation = { kind: "interruption", message };
    return [...entries, ...this.#afterWords("USER_MESSAGE", { observation })];
  }

  /** The turn failed: open tools are closed as `closing`, then the ERROR. */
  fail(error: RecordedError, closing: Closing): NewEntry[] {
    const entries = this.#closeAll(closing);
    return [...entries, ...this.#afterWords("ERROR", errorEntry(error, this.#now()))];
  }

  /** The end of what the agent has said since its last tool. */
  get recentText(): string {
    return this.#words.recent().text;
  }

  /** What is in flight, all of it bounded. */
  progress(): Progress {
    return this.#inFlight.show(this.#words.recent(), [...this.#open.values()], this.#now());
  }

  #toolUpdate(given: ToolFields, isStart: boolean, other: string | null): NewEntry[] {
    const id = this.#ids.idOf(given, other, this.#open.values(), () => !isStart);
    if (id === null) return [];
    const fields = { ...given, toolCallId: id };
    const closedIn = this.#closed.get(id);
    // Late updates of an ended call are dropped; an agent that numbers its calls from the start in each turn may use an id again.
    if (closedIn !== undefined && (closedIn === this.#turn || !isStart)) return [];
    const refused = isStart ? this.#closeRefused(id) : [];
    const call = this.#getCall(fields, other);
    mergeToolFields(call, fields, this.#cwd, false);
    return [...refused, ...this.#settle(call)];
  }

  /** Closes a call that has ended, but not before the answer to its question. */
  #settle(call: ToolCall): NewEntry[] {
    if (!isEnded(call) || (call.asked !== null && call.permission === null)) return [];
    return this.#close(call, this.#endOf(call));
  }

  #getCall(fields: ToolFields, other: string | null): ToolCall {
    const id = fields.toolCallId;
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const call = new ToolCall(id, this.#now());
    call.isAside = other !== null || isBookkeeping(fields);
    call.thought.push(...this.#words.takeFor(call));
    this.#open.set(id, call);
    return call;
  }

  #close(call: ToolCall, closing: Closing): NewEntry[] {
    if (!this.#open.delete(call.id)) return [];
    this.#closed.set(call.id, this.#turn);
    const items = closing === "reported" && call.status === "completed" ? planOfTool(call) : null;
    if (items !== null) {
      // A plan is not an action: text before it goes to the next action, and is not part of an answer.
      this.#words.putBack(call);
      return this.#plan(items, { name: toolName(call), callId: toolCallId(call) });
    }
    // A call can arrive before its text, so text that came while it was open is its own too.
    if (closing === "reported") call.thought.push(...this.#words.takeFor(call));
    if (!call.isAside) this.#takeEarlierThoughts(call);
    if (closing === "reported" && call.status === "completed") this.#placeDiffs(call);
    const entries = [actionEntry(call, closing, this.#now())];
    for (const further of this.#open.values()) {
      if (further.about !== call.id) continue;
      further.status = call.status;
      entries.push(...this.#settle(further));
    }
    return entries;
  }

  /** Of parallel calls, the first one to end gets the thought before them all: no reason may come after its first result. */
  #takeEarlierThoughts(call: ToolCall): void {
    for (const other of [...this.#open.values()].reverse()) {
      if (other.isAside || other.startedAt > call.startedAt) continue;
      call.thought.unshift(...other.thought);
      other.thought = [];
    }
  }

  /** Looks up changes whose line the agent did not report: codex numbers each part from 1. */
  #placeDiffs(call: ToolCall): void {
    call.diffs = call.diffs.map((diff) => {
      const line = diff.line === undefined && diff.oldText !== null ? this.#lineOf(diff) : null;
      return line === null ? diff : { ...diff, line };
    });
  }

  /**
   * Some agents send no more updates of a refused call: it is closed when they move on to something else, unless a further request
   * about it is open.
   */
  #closeRefused(except?: string): NewEntry[] {
    const all = [...this.#open.values()];
    const isAskedAgain = ({ id }: ToolCall) => all.some(({ about, permission }) => about === id && permission === null);
    return all
      .filter((call) => answerOf(call)?.decision === "rejected" && call.id !== except && !isAskedAgain(call))
      .flatMap((call) => this.#close(call, "rejected"));
  }

  #closeAll(closing: Closing): NewEntry[] {
    const endOf = (call: ToolCall) =>
      isEnded(call) && (call.about === null || call.permission !== null) ? this.#endOf(call) : closing;
    return [...this.#closeRefused(), ...[...this.#open.values()].flatMap((call) => this.#close(call, endOf(call)))];
  }

  /**
   * Agents report a stopped command as completed or failed; one with exit code 0 ended by itself. A further request that was not
   * allowed ended with its answer.
   */
  #endOf(call: ToolCall): Closing {
    const decision = call.permission?.decision ?? "allowed";
    if (call.about !== null && decision !== "allowed") return decision;
    const hasFailed = call.status === "failed" || (call.kind === "execute" && reportedExit(call) !== 0);
    return this.#stopping && hasFailed ? "cancelled" : "reported";
  }

  #plan(items: PlanItem[], tool: Parameters<typeof planEntry>[1]): NewEntry[] {
    const list = checklist(items);
    this.#words.endParagraph();
    if (list === "" || list === this.#lastPlan) return [];
    this.#lastPlan = list;
    return [planEntry(items, tool, this.#now())];
  }

  /** Keeps an image that the agent shows the person, if it is one and there is room. */
  #keepImage(content: unknown): boolean {
    const { count, characters } = this.#imageRoom;
    const { data: block } = ContentBlock.safeParse(content);
    const image = count > 0 && block !== undefined ? imageOf(block, characters) : null;
    if (image === null) return false;
    this.#imageRoom = { count: count - 1, characters: characters - image.data.length };
    this.#words.addImage(keptImageText(image), image);
    return true;
  }

  /** An entry with what the agent has said until then as its thought; images have an entry before it. */
  #afterWords(message_type: NewEntry["message_type"], fields: Partial<NewEntry>): NewEntry[] {
    const { thought, images } = this.#words.takeThought();
    if (images.length === 0) return [this.#entry(message_type, { ...fields, thought })];
    const shown = this.#entry("PLAN_EVALUATION", { thought, observation: withImages(null, images) });
    return [shown, this.#entry(message_type, fields)];
  }

  #entry(message_type: NewEntry["message_type"], fields: Partial<NewEntry>): NewEntry {
    return newEntry(message_type, this.#now().toISOString(), fields);
  }
}

const isEnded = ({ status }: ToolCall) => status === "completed" || status === "failed";
