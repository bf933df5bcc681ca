/**
 * Sessions of Claude Code in somebody's own terminal: their lines as received, and the state needed to turn them into entries.
 */
export const claudeSessionTables = `
create table claude_sessions (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  user_id integer references users (id),
  session_id text not null,
  run_id integer not null unique references runs (id),
  status text not null,
  created_at integer not null,
  lines integer not null,
  open_turn integer,
  said text,
  ending_at integer,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  unique (organization_id, session_id)
) strict;
create index claude_sessions_ending on claude_sessions (ending_at) where ending_at is not null;

create table claude_lines (
  session integer not null references claude_sessions (id),
  number integer not null,
  key blob not null,
  received_at integer not null,
  first_seq integer,
  last_seq integer,
  left_out text,
  line blob not null,
  primary key (session, number)
) strict;
create unique index claude_lines_by_key on claude_lines (session, key);

create table claude_calls (
  session integer not null references claude_sessions (id),
  call_id text not null,
  number integer not null,
  state text not null,
  call text not null,
  primary key (session, call_id)
) strict;
create index claude_calls_open on claude_calls (session, number) where state = 'open';

create table claude_usage (
  session integer not null references claude_sessions (id),
  message blob not null,
  input integer not null,
  output integer not null,
  primary key (session, message)
) strict, without rowid;
`;
