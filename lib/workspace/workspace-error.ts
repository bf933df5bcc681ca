/** Codes of failures, for callers that map them to answers. Messages are one line without credentials. */
export type WorkspaceErrorCode =
  | "source_invalid"
  | "source_not_found"
  | "source_not_repository"
  | "source_unreadable"
  | "source_unavailable"
  | "repository_unavailable"
  | "branch_not_found"
  | "commit_not_found"
  | "branch_name_invalid"
  | "checkout_missing"
  | "checkout_damaged"
  | "lock_timeout"
  | "disk_full"
  | "git_missing"
  | "git_failed"
  | "git_timeout"
  | "command_not_found"
  | "isolation_unavailable"
  | "layers_unavailable"
  | "copy_failed"
  | "processes_left";

/** The only error class that this folder throws on purpose. `message` may be shown to people of the organization. */
export class WorkspaceError extends Error {
  readonly code: WorkspaceErrorCode;

  constructor(code: WorkspaceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "WorkspaceError";
    this.code = code;
  }
}
