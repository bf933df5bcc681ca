/** The configured limits of runs. Times are in seconds. */
export type RunLimits = {
  /** Queued runs that an organization may have; 0 = any number. */
  queued: number;
  /** Runs that one engine works on at once. */
  atOnce: number;
  /** How long a turn may take, without the time in which it waits for a person. */
  turnSeconds: number;
  /** How long a person has to answer a question. */
  questionSeconds: number;
};

/** The limits where no setting says otherwise. */
export const runLimitsDefault: RunLimits = { queued: 1000, atOnce: 2, turnSeconds: 14_400, questionSeconds: 3600 };
