-- The check value of the encryption key with which secrets are sealed. The table has other values that no organization may
-- read, and the start of a server creates it after the migrations.
create function app.key_check() returns text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select key_check from app.installation);
end $$;
revoke execute on function app.key_check() from public;
grant execute on function app.key_check() to crosswalk_app, crosswalk_system;
