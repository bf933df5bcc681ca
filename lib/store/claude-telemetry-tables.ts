/** Telemetry of sessions of Claude Code, by whoever posted it; its session may become known only later. */
export const claudeTelemetryTables = `
create table claude_telemetry (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  session_id text not null,
  key blob not null,
  series blob not null,
  kind text not null,
  name text not null,
  at integer not null,
  value real,
  attributes text not null,
  unique (organization_id, user_id, session_id, key)
) strict;
create index claude_telemetry_by_series on claude_telemetry (organization_id, user_id, session_id, series, id);
create index claude_telemetry_by_age on claude_telemetry (organization_id, user_id, session_id, id);

create table claude_telemetry_sums (
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  session_id text not null,
  records integer not null,
  dropped integer not null,
  sums text not null,
  primary key (organization_id, user_id, session_id)
) strict, without rowid;
`;

/** The newest point of each cumulative series: its record may be dropped for newer ones. */
export const claudeTelemetrySeries = `
create table claude_telemetry_series (
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  session_id text not null,
  series blob not null,
  started_at integer,
  at integer not null,
  value real not null,
  primary key (organization_id, user_id, session_id, series)
) strict, without rowid;
insert into claude_telemetry_series
select organization_id, user_id, session_id, series, null, at, value
from claude_telemetry
where id in (
  select max(id) from claude_telemetry
  where kind = 'metric' and value is not null
  group by organization_id, user_id, session_id, series
);
drop index claude_telemetry_by_series;
`;
