-- The usage of a client, for its agency. Row-level security hides the client's rows from the agency, so this function
-- reads them. It returns no row unless the client is linked to the bound organization. Events before `counted_until` are
-- in usage_hour.
create function app.usage_of_client(
  client uuid, of_mode text, first_at timestamptz, end_at timestamptz, counted_until timestamptz,
  first_event uuid, end_event uuid, first_call uuid, end_call uuid)
  returns table (requests bigint, rate_limited bigint, calls bigint, call_minutes bigint, events bigint,
    webhooks_delivered bigint, webhooks_failed bigint)
  language plpgsql stable security definer rows 1 set search_path = public, pg_temp as $$
begin
  perform from agency_client l where l.agency_org_id = app.org_id() and l.client_org_id = client;
  if not found then return; end if;
  select coalesce(sum(u.n) filter (where u.series = 'requests'), 0),
    coalesce(sum(u.n) filter (where u.series = 'rate_limited'), 0),
    coalesce(sum(u.n) filter (where u.series = 'events' and u.hour < counted_until), 0)
  into requests, rate_limited, events
  from usage_hour u where u.org_id = client and u.mode = of_mode and u.hour >= first_at and u.hour < end_at;
  select usage_of_client.events + count(*) into events
  from event e where e.org_id = client and e.mode = of_mode and e.event_id >= first_event and e.event_id < end_event;
  select count(*), coalesce(sum(ceil(c.duration_seconds / 60.0)), 0) into calls, call_minutes
  from call c where c.org_id = client and c.mode = of_mode and c.call_id >= first_call and c.call_id < end_call
    and c.created_at >= first_at and c.created_at < end_at;
  select coalesce(sum(h.delivered), 0), coalesce(sum(h.failed), 0) into webhooks_delivered, webhooks_failed
  from webhook_hour h join webhook_endpoint w on w.org_id = h.org_id and w.endpoint_id = h.endpoint_id
  where h.org_id = client and w.mode = of_mode and h.hour >= first_at and h.hour < end_at;
  return next;
end $$;
revoke execute on function app.usage_of_client(uuid, text, timestamptz, timestamptz, timestamptz, uuid, uuid, uuid, uuid) from public;
grant execute on function app.usage_of_client(uuid, text, timestamptz, timestamptz, timestamptz, uuid, uuid, uuid, uuid)
  to crosswalk_app;
