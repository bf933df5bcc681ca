/** The configured limits of runs. Times are in seconds. */
export type RunLimits = {
  /** Queued runs per organization; 0 = unlimited. */
  queued: number;
  /** Runs that one engine works on at once. */
  atOnce: number;
  /** Time limit of a turn, not counting time spent waiting for a person. */
  turnSeconds: number;
  /** Time limit for answering a question. */
  questionSeconds: number;
};

/** Default limits. */
export const runLimitsDefault: RunLimits = { queued: 1000, atOnce: 2, turnSeconds: 14_400, questionSeconds: 3600 };
