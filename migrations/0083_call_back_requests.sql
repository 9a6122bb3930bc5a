-- Requests of visitors to be called. A form with the setting `call_back` makes one for each accepted submission.
create table call_back_request (
  org_id uuid not null,
  request_id uuid not null,
  submission_id uuid not null,
  form_id uuid not null,
  form_version integer not null,
  visitor_id uuid not null,
  mode text collate "C" not null check (mode in ('live', 'test')),
  -- waiting: for a person. scheduled: Crosswalk calls by itself. called: the only attempt was made.
  status text collate "C" not null
    check (status in ('waiting', 'scheduled', 'called', 'declined', 'refused', 'expired')),
  -- Why it is refused, or why it waits for a person although the form calls by itself.
  reason text collate "C",
  -- E.164, and its country.
  number text collate "C" not null,
  country text collate "C" not null,
  -- When the form calls by itself.
  call_at timestamptz,
  -- Whether the form decided, or a person.
  automatic boolean not null default false,
  call_id uuid,
  -- Who approved or declined it.
  api_key_id uuid,
  member_id uuid,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, request_id)
);
call app.protect('call_back_request');
create unique index call_back_request_by_submission on call_back_request (org_id, submission_id);
create index call_back_request_by_number on call_back_request (org_id, number, created_at);
create index call_back_request_by_visitor on call_back_request (org_id, visitor_id, created_at);
create index call_back_request_by_form on call_back_request (org_id, form_id, request_id);
create index call_back_request_by_status on call_back_request (org_id, status, request_id);
create index call_back_request_automatic on call_back_request (org_id, created_at) where automatic;
create index call_back_request_by_call on call_back_request (org_id, call_id) where call_id is not null;
create index call_back_request_open on call_back_request (created_at) where status in ('waiting', 'scheduled');
create index call_back_request_refused on call_back_request (created_at) where status = 'refused';
