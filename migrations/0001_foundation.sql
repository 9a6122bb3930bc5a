create schema app;
grant usage on schema app to crosswalk_app, crosswalk_system;
grant usage on schema public to crosswalk_app, crosswalk_system;

-- The org that this transaction is bound to, or null. A reused connection reads '' after set_config(…, true).
create function app.org_id() returns uuid language sql stable parallel safe
  return nullif(current_setting('app.org_id', true), '')::uuid;

-- Every table with tenants' rows is closed by this one template: the app's role sees the bound org alone,
-- the owner and the system role see all (without a policy of its own even the owner's back-fills and
-- foreign-key checks would silently meet no rows, since row-level security is forced).
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
