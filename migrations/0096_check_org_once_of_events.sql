-- As in 0093: the organization is read once for each statement that writes.
alter policy org on event
  with check (org_id = (select nullif(current_setting('app.org_id', true), '')::uuid));
