import { gaveUpWords } from "#lib/analysis/rules/gave-up.ts";
import { limitWords } from "#lib/analysis/rules/run-limit.ts";
import type { Step } from "#lib/analysis/step.ts";
import type { AnalysisOutcome } from "#lib/contract/logs/analysis.ts";
import { isEnd } from "#lib/contract/runs/run-end.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";

type Said = { seq: number; text: string };

const textMax = 20_000;

/** The last things said and done, from which the end of a run is determined: its last entry alone misleads. */
export class Ending {
  #final: Said | null = null;
  #said: Said | null = null;
  #error: Said | null = null;
  #interrupted: Said | null = null;
  #lastCall = 0;
  #isUnanswered = false;
  #last: { seq: number; type: string } | null = null;

  add(step: Step): void {
    if (step.isNotice || step.type === "AGENT_RUN_LINK") return;
    const said = { seq: step.seq, text: step.said.slice(-textMax) };
    if (step.type === "USER_MESSAGE") {
      if (/^\s*\[Request interrupted|^<turn_aborted>/.test(step.said)) this.#interrupted = said;
      // Typing `exit` is not a request.
      if (step.said.trim() === "" || /^\W*(exit|quit|bye|q|:q|logout|clear)\W*$/i.test(step.said.trim())) return;
    }
    this.#last = { seq: step.seq, type: step.type };
    if (step.type === "FINAL_ANSWER") this.#final = said;
    else if (step.type === "ERROR") this.#error = said;
    else if (step.type === "PLAN_EVALUATION") this.#said = said;
    else if (step.type === "USER_MESSAGE" && this.#interrupted?.seq !== step.seq) this.#final = null;
    if (step.call === null) return;
    this.#lastCall = step.seq;
    this.#isUnanswered = step.call.outcome === "unfinished";
    if (step.call.view.kind === "answer") this.#final = { seq: step.seq, text: step.call.view.text };
  }

  /** The agent's final text: its answer, or else the last thing it said. */
  get finalText(): Said | null {
    return this.#final ?? this.#said;
  }

  result(status: RunStatus): AnalysisOutcome {
    if (!isEnd(status)) return { status, ended_by: null, verdict: null, seq: null };
    const last = this.#last?.seq ?? null;
    const lastError = this.#error !== null && this.#error.seq > this.#lastCall ? this.#error : null;
    switch (status) {
      case "cancelled":
        return { status, ended_by: "person", verdict: "stopped", seq: lastError?.seq ?? last };
      case "timed_out":
      case "max_turns_reached":
      case "out_of_tokens":
        return { status, ended_by: "limit", verdict: "stopped", seq: lastError?.seq ?? last };
      case "interrupted":
        return { status, ended_by: "service", verdict: "broken", seq: lastError?.seq ?? last };
      case "failed":
        if (lastError !== null && limitWords.test(lastError.text)) return limit(status, lastError.seq);
        return { status, ended_by: "agent", verdict: "broken", seq: lastError?.seq ?? last };
      case "completed":
        return this.#completed(status, lastError);
    }
  }

  #completed(status: RunStatus, lastError: Said | null): AnalysisOutcome {
    const last = this.#last?.seq ?? null;
    const final = this.#final;
    if (lastError !== null && (final === null || lastError.seq > final.seq)) {
      if (limitWords.test(lastError.text)) return limit(status, lastError.seq);
      return { status, ended_by: "agent", verdict: "broken", seq: lastError.seq };
    }
    if (
      this.#interrupted !== null &&
      this.#interrupted.seq >= (final?.seq ?? 0) &&
      this.#interrupted.seq >= this.#lastCall
    ) {
      return { status, ended_by: "person", verdict: "stopped", seq: this.#interrupted.seq };
    }
    const answer = final !== null && final.seq >= this.#lastCall ? final : this.#saidLast();
    if (answer === null) return { status, ended_by: "agent", verdict: "broken", seq: last };
    const verdict = gaveUpWords.test(answer.text) ? "gave_up" : "answered";
    return { status, ended_by: "agent", verdict, seq: answer.seq };
  }

  /** Words after the last call that end like an answer; null if they break off. */
  #saidLast(): Said | null {
    if (this.#isUnanswered || this.#said === null || this.#said.seq < this.#lastCall) return null;
    return /[.!?)\]}`*。！？」"'|]\s*$|\n[-*\d].*$/.test(this.#said.text) ? this.#said : null;
  }
}

const limit = (status: RunStatus, seq: number): AnalysisOutcome => ({
  status,
  ended_by: "limit",
  verdict: "stopped",
  seq,
});
