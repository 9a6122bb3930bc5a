-- Tasks for limited members, as the migration before does it for notes.
drop policy seen on task;
create policy seen on task as restrictive to crosswalk_limited
  using (not (select app.is_limited())
    or case entity
      when 'contact' then exists (select from contact r where r.org_id = app.org_id() and r.contact_id = record_raw_id)
      when 'company' then exists (select from company r where r.org_id = app.org_id() and r.company_id = record_raw_id)
      when 'deal' then exists (select from deal r where r.org_id = app.org_id() and r.deal_id = record_raw_id)
      else false end);
