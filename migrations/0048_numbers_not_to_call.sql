-- The numbers of contacts that denied consent to phone calls before 0046_calls_obey.sql. In a transaction of its own, because
-- the triggers lock the table against writes. The rows are locked, so that nobody takes a denial back meanwhile.
insert into denied_number (org_id, number, contact_id)
select distinct denied.org_id, number, denied.contact_id
from (
  select org_id, contact_id, phones from contact
  where consent_phone = 'denied' and status in ('active', 'archived') for share
) as denied, unnest(denied.phones) as number
on conflict do nothing;
