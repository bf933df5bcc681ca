import { NotFoundState } from "#components/shell/page-states.tsx";

export default function ClaudeCodeNotFoundPage() {
  return <NotFoundState what="Claude Code session" />;
}
