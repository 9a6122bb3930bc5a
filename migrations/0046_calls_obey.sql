-- Numbers of contacts that denied consent to phone calls. Triggers keep them, so that no way to write a contact (create,
-- import, merge, undo, restore) can forget to. Archived contacts count: an archived denial is still a denial.
create table denied_number (
  org_id uuid not null,
  -- E.164.
  number text collate "C" not null,
  contact_id uuid not null,
  primary key (org_id, number, contact_id)
);
call app.protect('denied_number');

create function app.keep_denied_numbers() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from denied_number
    where org_id = old.org_id and number = any(old.phones) and contact_id = old.contact_id;
  end if;
  if new.consent_phone = 'denied' and new.status in ('active', 'archived') then
    insert into denied_number (org_id, number, contact_id)
    select distinct new.org_id, number, new.contact_id from unnest(new.phones) as number;
  end if;
  return null;
end $$;

create trigger denied_inserted after insert on contact
  for each row when (new.consent_phone = 'denied') execute function app.keep_denied_numbers();
create trigger denied_updated after update on contact
  for each row when (
    (old.consent_phone = 'denied' or new.consent_phone = 'denied')
    and (old.status, old.consent_phone, old.phones) is distinct from (new.status, new.consent_phone, new.phones)
  ) execute function app.keep_denied_numbers();

-- Numbers that the org never calls, whoever they belong to.
create table voice_suppression (
  org_id uuid not null,
  suppression_id uuid not null,
  -- E.164.
  number text collate "C" not null,
  reason text,
  source text,
  since timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, suppression_id),
  unique (org_id, number)
);
call app.protect('voice_suppression');
revoke update on voice_suppression from crosswalk_app;

-- Their number is counted as that of calls is (0042_call_totals.sql), but they may be deleted.
create function app.count_removed() returns trigger language plpgsql as $$
begin
  insert into record_delta (org_id, entity, delta)
  select org_id, tg_table_name, -count(*) from deleted group by org_id;
  return null;
end $$;
create trigger count_appended after insert on voice_suppression
  referencing new table as inserted for each statement execute function app.count_appended();
create trigger count_removed after delete on voice_suppression
  referencing old table as deleted for each statement execute function app.count_removed();

-- Whether a call begins with a sentence that says an AI is calling, and the org's own words for it (null: the shipped ones).
alter table voice_settings add column ai_disclosure boolean not null default true;
alter table voice_settings add column ai_disclosure_text text;

-- How consent was given or denied: {"kind": written|oral|implied, "source", "at" (Unix seconds)}, each of them perhaps null;
-- null: not known.
alter table contact add column consent_email_details jsonb;
alter table contact add column consent_phone_details jsonb;
