-- The transaction that wrote an event. Readers of the log compare it with two snapshots, because ids are made before
-- the commit and so do not tell which events a reader has seen. 1 stands for a transaction before every snapshot.
alter table event add column xact xid8 not null default '1';
alter table event alter column xact set default pg_current_xact_id();
create index event_by_xact on event (org_id, xact, event_id);

-- Transaction ids start again when a dump is restored. Then the era changes, and positions of older eras are renewed.
create table app.event_era (
  only_one boolean primary key default true check (only_one),
  era integer not null default 1,
  system_identifier bigint not null
);
insert into app.event_era (system_identifier) select system_identifier from pg_control_system();
grant select on app.event_era to crosswalk_app, crosswalk_system;
