-- A confirmed call is compared with what the person confirmed only before it first runs: afterwards it is a repetition.
alter table pending_effect add column begun_at timestamptz;
