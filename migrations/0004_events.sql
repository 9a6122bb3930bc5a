-- The audit log: one row per change, inserted in the transaction of the change. `changed` has the names of fields and
-- never their values, so an erased person leaves nothing here.
create table event (
  org_id uuid not null,
  event_id uuid not null,
  type text collate "C" not null,
  object_id uuid,
  api_key_id uuid,
  mode text not null check (mode in ('live', 'test')),
  changed text[],
  data jsonb,
  created_at timestamptz not null,
  primary key (org_id, event_id)
);
create index event_by_object on event (org_id, object_id, event_id);
create index event_by_type on event (org_id, type, event_id);
call app.protect('event');
revoke update, delete on event from crosswalk_app;
create trigger count_appended after insert on event
  referencing new table as inserted for each statement execute function app.count_appended();
