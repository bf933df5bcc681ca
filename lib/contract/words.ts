// Word lists of the contract that pages choose from. The browser loads this module, so it has no schemas (ARCHITECTURE.md).

/** Roles of a person in an organization, lowest first. */
export const roles = ["viewer", "member", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** How the agent's permission requests are answered: allow each once, refuse writes, or ask a person. */
export const permissionModes = ["auto", "read-only", "ask"] as const;

/** When a message reaches the agent of a run at work: after its turn, or between two of its steps. */
export const deliveries = ["next_turn", "next_step"] as const;

/** Kinds of a log entry; clients show unknown ones generically. */
export const messageTypes = [
  "ACTION",
  "PLAN_EVALUATION",
  "FINAL_ANSWER",
  "ERROR",
  "USER_MESSAGE",
  "USER_GITHUB_ISSUE_COMMENT",
  "INITIAL_PR_GENERATION",
  "DETECT_PR_ERRORS",
  "FIX_PR_ERRORS",
  "PR_CREATION_FAILED",
  "PR_EVALUATION",
  "COMMIT_EVALUATION",
  "AGENT_RUN_LINK",
] as const;

/** How an agent was found, see `Agent.state`. */
export const agentStates = ["ready", "slow", "needs_sign_in", "too_old", "not_working", "not_installed"] as const;

/** What is known of an agent's sign-in, see `SignIn.state`. */
export const signInStates = ["signed_in", "needed", "unknown", "not_used"] as const;

/** Kinds of setup commands, in the order they run in. */
export const setupKinds = ["install", "build", "test", "lint", "maintenance"] as const;

/** Events of a run that a webhook may receive. */
export const webhookEvents = ["run.started", "run.waiting", "run.finished"] as const;

/** Default events of a webhook: the reference service knows only the end of a run. */
export const webhookEventsDefault: readonly (typeof webhookEvents)[number][] = ["run.finished"];

/**
 * State of a delivery: pending, delivered, failed (not within 24 hours, or refused with 410), or cancelled (its webhook was
 * deleted or turned off first).
 */
export const deliveryStates = ["pending", "delivered", "failed", "cancelled"] as const;

/** Services an organization can connect to with an address and a secret. */
export const integrationTypes = ["github", "gitlab", "forgejo", "slack", "linear"] as const;

/** Names as people know them. */
export const integrationTitles: Record<(typeof integrationTypes)[number], string> = {
  github: "GitHub",
  gitlab: "GitLab",
  forgejo: "Forgejo",
  slack: "Slack",
  linear: "Linear",
};

/** Public address of each service, unless a base address is given. */
export const integrationAddresses: Record<(typeof integrationTypes)[number], string> = {
  github: "https://github.com",
  gitlab: "https://gitlab.com",
  forgejo: "https://codeberg.org",
  slack: "https://slack.com",
  linear: "https://api.linear.app",
};

/** Default name to listen for: `@errand`. */
export const mentionDefault = "errand";

/** Whether a repository's runs open pull requests: never, when somebody asks for it, or after every turn that changed something. */
export const pullModes = ["off", "manual", "automatic"] as const;

/**
 * State of a run's pull request: opening (not there yet), open, closed or merged on the code host, failed (it could not be opened),
 * or pushed: the remote has no pull requests, and the branch is there.
 */
export const pullStates = ["opening", "open", "closed", "merged", "failed", "pushed"] as const;

/**
 * What is being done with a run's work: commits are weighed, tested here, pushed, opened as a pull request, checked, and failures
 * are fixed.
 */
export const pullStages = ["weighing", "testing", "pushing", "opening", "checking", "fixing"] as const;

/**
 * When the repository's own commands check a run's work: never; after the push, if the remote has no checks of its own; or before
 * every push.
 */
export const localChecks = ["never", "without_host", "before_push"] as const;

/** How the work on a run's pull request ended. */
export const pullVerdicts = [
  "green",
  "red",
  "gave_up",
  "no_progress",
  "no_checks",
  "diverged",
  "refused",
  "closed",
  "merged",
  "banned",
] as const;
