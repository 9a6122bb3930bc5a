-- A transaction that stores web events names all organizations of its events: app.org_id is then a list, with commas between
-- the ids. Row-level security of these tables judges each row by the list, which PostgreSQL reads once for a statement. Every
-- other table refuses such a transaction, because a list is no UUID.
create procedure app.protect_by_list(protected regclass) language plpgsql as $$
declare
  listed text := 'org_id = any((select string_to_array(nullif(current_setting(''app.org_id'', true), ''''), '','')::uuid[])::uuid[])';
begin
  execute format('alter policy org on %s using (%s) with check (%s)', protected, listed, listed);
end $$;
call app.protect_by_list('web_event');
call app.protect_by_list('visitor');
call app.protect_by_list('web_event_delta');
call app.protect_by_list('web_event_tombstone');
