-- An endpoint with include_clients reads the log of each client of its agency, from the link to its end. A trigger does
-- this, because links begin and end in several functions.
create function app.follow_client() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  now_in_hex text := lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0');
begin
  insert into webhook_position (org_id, endpoint_id, source_org_id, position)
  select e.org_id, e.endpoint_id, new.client_org_id, json_build_object(
    'era', r.era, 'after', pg_current_snapshot()::text, 'within', null, 'until', null,
    'last', left(now_in_hex, 8) || '-' || right(now_in_hex, 4) || '-7000-8000-000000000000')
  from webhook_endpoint e, app.event_era r where e.org_id = new.agency_org_id and e.include_clients
  on conflict do nothing;
  return null;
end $$;

create function app.forget_client() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from webhook_position where org_id = old.agency_org_id and source_org_id = old.client_org_id;
  delete from webhook_retry where org_id = old.agency_org_id and source_org_id = old.client_org_id;
  return null;
end $$;

create trigger follow_client after insert on agency_client for each row execute function app.follow_client();
create trigger forget_client after delete on agency_client for each row execute function app.forget_client();
revoke execute on function app.follow_client(), app.forget_client() from public;

-- Old attempts are deleted in slices.
create index webhook_attempt_by_time on webhook_attempt using brin (created_at);
