/**
 * Every action in the audit log, with its label. Includes everything that changes who may do what, what others can read, or
 * what runs execute; creating and steering runs is not included.
 */
export const auditActs = {
  "session.signed_in": "Signed in",
  "session.signed_out": "Signed out",
  "session.failed": "Failed to sign in",
  "session.ended": "Ended sessions",
  "sign_in_link.made": "Created a sign-in link",
  "password.set": "Set a password",
  "password.reset_made": "Created a reset link",
  "password.reset_used": "Used a reset link",
  "identity.linked": "Linked a sign-in provider",
  "invitation.created": "Invited someone",
  "invitation.withdrawn": "Withdrew an invitation",
  "invitation.accepted": "Accepted an invitation",
  "member.added": "Added a member",
  "member.changed": "Changed a member",
  "member.role_changed": "Changed a role",
  "member.removed": "Removed a member",
  "token.created": "Created a token",
  "token.revoked": "Revoked a token",
  "share.created": "Shared a run",
  "share.withdrawn": "Revoked a share link",
  "repository.added": "Added a repository",
  "repository.changed": "Changed a repository",
  "repository.removed": "Removed a repository",
  "repository.checks_changed": "Changed check settings",
  "setup.accepted": "Accepted setup commands",
  "setup.deleted": "Deleted setup commands",
  "setup.proposal_discarded": "Discarded proposed setup commands",
  "setup.requested": "Started a setup run",
  "setup.rebuilt": "Rebuilt a prepared environment",
  "pull_request.changed": "Changed a pull request",
  "organization.created": "Created the organization",
  "organization.changed": "Changed settings",
  "network.changed": "Changed what agents may reach",
  "agent_key.set": "Saved a key for agents",
  "agent_key.deleted": "Deleted a stored key",
  "integration.changed": "Changed an integration",
  "integration.removed": "Removed an integration",
  "integration.tested": "Tested an integration",
  "oauth_token.revoked": "Revoked an OAuth token",
  "slack_link.created": "Created a Slack link",
  "webhook.changed": "Changed the webhook",
  "webhook.removed": "Removed the webhook",
  "webhook.tested": "Tested the webhook",
  "webhook.resent": "Sent a delivery again",
} as const;
type AuditAct = keyof typeof auditActs;

/** Every act, in the order of the list above. */
export const auditActNames = Object.keys(auditActs) as [AuditAct, ...AuditAct[]];
