-- How organizations are kept apart: every table of their rows enforces row-level security.
create schema app;
grant usage on schema app to crosswalk_app, crosswalk_system;
grant usage on schema public to crosswalk_app, crosswalk_system;

-- The org that this transaction is bound to, or null. After set_config(…, true), a reused connection reads ''.
create function app.org_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- Protects one table. crosswalk_app sees the rows of the bound org only. crosswalk_system and the owner see all rows:
-- row-level security is forced, so without a policy the owner's foreign-key checks would find no rows.
create procedure app.protect(protected regclass, org_column text default 'org_id') language plpgsql as $$
declare
  same_org text := format('%I = nullif(current_setting(''app.org_id'', true), '''')::uuid', org_column);
begin
  execute format('alter table %s enable row level security', protected);
  execute format('alter table %s force row level security', protected);
  execute format('create policy org on %s to crosswalk_app using (%s) with check (%s)', protected, same_org, same_org);
  execute format('create policy system on %s to crosswalk_system, %I using (true) with check (true)', protected, current_user);
  execute format('grant select, insert, update, delete on %s to crosswalk_app, crosswalk_system', protected);
end $$;
