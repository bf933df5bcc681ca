/** The tables of webhooks, their events and deliveries, as a migration. */
export const webhookTables = `
create table webhooks (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  run_id integer references runs (id),
  url text not null,
  target text not null,
  key text not null,
  secret text,
  previous_secret text,
  previous_until integer,
  events text not null,
  enabled integer not null,
  disabled_reason text,
  disabled_at integer,
  revision integer not null default 0,
  state text not null,
  created_at integer not null
) strict;
create unique index webhooks_of_organization on webhooks (organization_id) where run_id is null and state = 'active';
create index webhooks_active on webhooks (organization_id, run_id) where state = 'active';

create table webhook_events (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  run_id integer not null references runs (id),
  message_id text not null,
  type text not null,
  created_at integer not null,
  run text not null
) strict;

create table webhook_deliveries (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  webhook_id integer not null references webhooks (id),
  event_id integer not null references webhook_events (id),
  run_id integer not null references runs (id),
  state text not null,
  created_at integer not null,
  due_at integer not null,
  resent_at integer,
  ended_at integer,
  attempts integer not null default 0,
  attempted_at integer,
  first_attempt_at integer,
  failures integer not null default 0,
  late integer not null default 0,
  lease_engine text,
  lease_expires_at integer,
  lease_epoch integer not null default 0,
  status integer,
  answer text,
  error text
) strict;
create index webhook_deliveries_due on webhook_deliveries (due_at, id) where state = 'pending';
create index webhook_deliveries_in_order on webhook_deliveries (webhook_id, run_id, id);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);
create index webhook_deliveries_by_organization on webhook_deliveries (organization_id, id);
create index webhook_deliveries_by_state on webhook_deliveries (organization_id, state, id);
create index webhook_deliveries_by_run on webhook_deliveries (run_id, id);
create index webhook_deliveries_by_time on webhook_deliveries (created_at);
`;
