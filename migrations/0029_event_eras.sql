-- Transaction ids start again when a dump is restored. So `xact` is the transaction id plus era * 2^44: events of a later era
-- come after all events of earlier eras, and snapshots of different eras can be compared. `src/events/era.ts` begins an era
-- by changing the default of `event.xact`.
update app.event_era set era = 0;
alter table app.event_era alter column era set default 0;

-- The current snapshot in the numbers of `event.xact`.
create function app.event_snapshot() returns text language sql volatile parallel safe set search_path = pg_catalog, pg_temp as $$
  select case when era = 0 then s.now::text else
    format('%s:%s:%s',
      pg_snapshot_xmin(s.now)::text::bigint + (era::bigint << 44), pg_snapshot_xmax(s.now)::text::bigint + (era::bigint << 44),
      (select string_agg((running::text::bigint + (era::bigint << 44))::text, ',' order by running)
       from pg_snapshot_xip(s.now) as running))
    end
  from app.event_era, pg_current_snapshot() as s (now)
$$;

create or replace function app.follow_client() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  now_in_hex text := lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0');
begin
  insert into webhook_position (org_id, endpoint_id, source_org_id, position)
  select e.org_id, e.endpoint_id, new.client_org_id, json_build_object(
    'after', app.event_snapshot(), 'within', null, 'until', null,
    'last', left(now_in_hex, 8) || '-' || right(now_in_hex, 4) || '-7000-8000-000000000000')
  from webhook_endpoint e where e.org_id = new.agency_org_id and e.include_clients
  on conflict do nothing;
  return null;
end $$;
