import type { AgentHost } from "#lib/agents/agent.ts";
import type { Tokens } from "#lib/contract/runs/run.ts";
import type { PromptAnswer, TokenCounts, Update } from "./message.ts";
import { storableText } from "./storable.ts";

const modelCharactersMax = 200;

/** Usage of a run so far, over all its turns and attempts; null if the agent never reported it. */
export type Figures = { model: string | null; tokens: Tokens | null; costUsd: number | null };

/** State from an earlier attempt: the run's figures, and the last reported cost of the agent's session. */
export type EarlierUse = Figures & { sessionCostUsd: number | null };

/** Adds up an agent's reported usage over turns and attempts. `continued`: this process continues a session. */
export class Usage {
  readonly #agentName: string | null;
  readonly #earlier: EarlierUse;
  readonly #continued: boolean;
  #model: string | null;
  #tokens: Tokens | null;
  #cost: number | null;
  /** Cost before the agent's own count began; null until the first report. */
  #costBefore: number | null = null;
  #sessionCost: number | null;
  /** Tokens of the current turn, from messages during it (qwen). */
  #turn: Tokens | null = null;

  constructor(agentName: string | null, earlier: EarlierUse, continued: boolean) {
    this.#agentName = agentName;
    this.#earlier = earlier;
    this.#continued = continued;
    this.#model = earlier.model;
    this.#tokens = earlier.tokens;
    this.#cost = earlier.costUsd;
    this.#sessionCost = continued ? earlier.sessionCostUsd : null;
  }

  /** The last reported cost; null if there is none. */
  get sessionCostUsd(): number | null {
    return this.#sessionCost;
  }

  get figures(): Figures {
    return { model: this.#model, tokens: plus(this.#tokens, this.#turn), costUsd: this.#cost };
  }

  /** Takes the name of the model, of which at most 200 characters are kept. */
  setModel(model: string): void {
    this.#model = storableText(model.slice(0, modelCharactersMax));
  }

  /** Takes the figures in an update; true if they changed. */
  update(update: Update): boolean {
    const before = this.figures;
    if (update.sessionUpdate === "usage_update") {
      const model = update._meta?.["_claude/model"];
      if (model != null) this.setModel(model);
      if (update.cost?.currency === "USD") this.#takeCost(update.cost.amount);
    }
    if (update.sessionUpdate === "agent_message_chunk" && update._meta?.usage) {
      this.#turn = plus(this.#turn, tokensOf(update._meta.usage));
    }
    const after = this.figures;
    return (
      after.model !== before.model || after.costUsd !== before.costUsd || after.tokens?.total !== before.tokens?.total
    );
  }

  /**
   * An agent's reported cost only grows, but its starting point differs: OpenCode's covers the whole session; so does claude's
   * after a clean close, but after a kill it starts at zero. A first cost below the last known one has started again.
   */
  #takeCost(amount: number): void {
    // OpenCode reports a cost of 0 when it does not know the tokens.
    if (amount === 0 && this.#cost === null) return;
    const { costUsd, sessionCostUsd } = this.#earlier;
    const continues = this.#continued && sessionCostUsd !== null && amount >= sessionCostUsd;
    this.#costBefore ??= (costUsd ?? 0) - (continues ? sessionCostUsd : 0);
    this.#sessionCost = amount;
    this.#cost = inMillionths(this.#costBefore + amount);
  }

  /** Takes the figures at the end of a turn; without an answer, those from messages during it count. */
  endTurn(answer: PromptAnswer | null): void {
    const reported = answer?.usage ?? answer?._meta?.quota?.token_count ?? answer?._meta?.usage;
    const turn = reported && this.#agentName !== OpenCode ? tokensOf(reported) : this.#turn;
    this.#tokens = plus(this.#tokens, turn);
    this.#turn = null;
    const model = mostUsedModel(answer);
    if (model !== null) this.setModel(model);
  }
}

/** OpenCode's token figures cover only the turn's last request: adding them up would give far too few, so they are ignored. */
const OpenCode = "OpenCode";

function tokensOf(counts: TokenCounts): Tokens | null {
  const input = counts.inputTokens ?? counts.input_tokens;
  const output = counts.outputTokens ?? counts.output_tokens;
  if (input == null || output == null) return null;
  // A turn that never reached its model, or whose agent does not count.
  if (input === 0 && output === 0) return null;
  const read = input + (counts.cachedReadTokens ?? 0) + (counts.cachedWriteTokens ?? 0);
  // Some agents count thoughts in the output, some beside it; the total has them either way. Cached tokens are part of the input
  // for some (qwen) and beside it for others; the total shows which.
  const total = counts.totalTokens ?? input + output;
  const whole = read + output <= total ? read : input;
  return { input: whole, output: Math.max(output, total - whole), total: Math.max(total, whole + output) };
}

/** Sums of binary fractions get stray last digits, like 0.06026999999999999. */
function inMillionths(usd: number): number {
  return Math.round(usd * 1_000_000) / 1_000_000;
}

function plus(a: Tokens | null, b: Tokens | null): Tokens | null {
  if (a === null || b === null) return a ?? b;
  const sum = (one: number, other: number) => Math.min(one + other, Number.MAX_SAFE_INTEGER);
  return { input: sum(a.input, b.input), output: sum(a.output, b.output), total: sum(a.total, b.total) };
}

/** The model with the most tokens; "auto" names no model. */
function mostUsedModel(answer: PromptAnswer | null): string | null {
  const used = (answer?._meta?.quota?.model_usage ?? [])
    .filter(({ model }) => model !== "auto")
    .map(({ model, token_count }) => ({ model, total: token_count ? (tokensOf(token_count)?.total ?? 0) : 0 }))
    .sort((a, b) => b.total - a.total);
  return used[0]?.model ?? null;
}

/** The known figures. */
export function knownFigures(usage: Usage): Parameters<AgentHost["onFigures"]>[0] {
  const { model, tokens, costUsd } = usage.figures;
  return {
    ...(model === null ? {} : { model }),
    ...(tokens === null ? {} : { tokens }),
    ...(costUsd === null ? {} : { costUsd }),
  };
}
