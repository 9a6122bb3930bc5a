-- What people write about contacts, companies and deals. `record_raw_id` is the id that was sent. Reads look up its
-- canonical record, so merges and undos change no row of these tables.
create table note (
  org_id uuid not null,
  note_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  record_raw_id uuid not null,
  text text not null,
  -- The author, as in `event`.
  api_key_id uuid,
  member_id uuid,
  connected_app_id uuid,
  by_operator boolean,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, note_id)
);
create index note_of_record on note (org_id, record_raw_id, note_id);
call app.protect('note');

create table task (
  org_id uuid not null,
  task_id uuid not null,
  entity text collate "C" not null check (entity in ('contact', 'company', 'deal')),
  record_raw_id uuid not null,
  title text not null,
  text text,
  due_on date,
  -- The member in charge; null: nobody. A member who leaves keeps no task.
  assignee_id uuid,
  api_key_id uuid,
  member_id uuid,
  connected_app_id uuid,
  by_operator boolean,
  -- null: the task is open. The other columns are the actor who completed it.
  completed_at timestamptz,
  completed_api_key_id uuid,
  completed_member_id uuid,
  completed_connected_app_id uuid,
  completed_by_operator boolean,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, task_id),
  foreign key (org_id, assignee_id) references membership (org_id, member_id) on delete set null (assignee_id)
);
create index task_of_record on task (org_id, record_raw_id, task_id);
create index task_open on task (org_id, due_on, task_id) where completed_at is null;
create index task_open_of_assignee on task (org_id, assignee_id, due_on, task_id) where completed_at is null;
create index task_done on task (org_id, completed_at, task_id) where completed_at is not null;
create index task_done_of_assignee on task (org_id, assignee_id, completed_at, task_id) where completed_at is not null;
call app.protect('task');
