/** Id of the agent that comes with the service and needs no model. */
export const builtInAgent = "steps";

/** The agent of runs that another system executes: no engine takes them, their steps arrive by POST …/logs. */
export const externalAgent = "external";

/** The agent of generate runs: it finds a repository's setup commands and tries them, without a model. */
export const setupAgent = "setup";

/** The agent of analysis runs: it reports the findings about another run's log, by rules, without a model. */
export const analysisAgent = "analysis";

/** Agents of the service's own runs, by the operation that starts them. They are not listed, and no other run can name them. */
export const internalAgents: Record<string, string> = {
  [setupAgent]: "POST …/setup-commands/generate",
  [analysisAgent]: "POST …/analyze-logs",
};
