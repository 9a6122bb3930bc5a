-- Sandboxes: throw-away organizations that an organization makes for itself. `sandbox_of` is the organization that made it.
alter table org add column sandbox_of uuid references org (org_id) on delete cascade;
create index org_sandbox_of on org (sandbox_of) where sandbox_of is not null;

create table sandbox (
  -- The organization that made the sandbox.
  org_id uuid not null,
  sandbox_org_id uuid not null,
  name text not null,
  copied text collate "C" not null check (copied in ('nothing', 'settings', 'sample')),
  -- preparing: a job fills it. deleted: its rows are being deleted, and the API no longer shows it.
  status text collate "C" not null check (status in ('preparing', 'ready', 'failed', 'deleted')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  deleted_at timestamptz,
  -- When the next pass deletes rows that are left. A job that was running may write some after the first pass.
  purge_at timestamptz,
  primary key (org_id, sandbox_org_id),
  check ((status = 'deleted') = (deleted_at is not null)),
  check ((status = 'deleted') = (purge_at is not null))
);
create index sandbox_expiry on sandbox (expires_at) where status <> 'deleted';
create index sandbox_purge on sandbox (purge_at) where purge_at is not null;
call app.protect('sandbox');
revoke delete on sandbox from crosswalk_app;

-- Makes the organization of a sandbox of the bound organization, with its country. With `copies_settings` it also has its
-- deal stages, and no close reasons, which are copied afterwards.
create function app.create_sandbox_org(sandbox_org_id uuid, sandbox_name text, copies_settings boolean) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into org (org_id, name, default_country, sandbox_of)
  select sandbox_org_id, sandbox_name, o.default_country, o.org_id from org o
  where o.org_id = app.org_id() and o.sandbox_of is null;
  if found and copies_settings then
    update deal_pipeline s set stages = p.stages from deal_pipeline p
      where s.org_id = sandbox_org_id and p.org_id = app.org_id();
    delete from close_reason c where c.org_id = sandbox_org_id;
  end if;
end $$;
revoke execute on function app.create_sandbox_org(uuid, text, boolean) from public;
grant execute on function app.create_sandbox_org(uuid, text, boolean) to crosswalk_app;
