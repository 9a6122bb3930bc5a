-- Indexes of defined fields. Every write of a record keeps its values in this table, in the statement of the write. One
-- table with one index serves all fields of all organizations: 10,000 organizations with 20 indexed fields would otherwise
-- have 200,000 indexes of PostgreSQL.
create table field_value (
  org_id uuid not null,
  -- The index of a definition. A definition whose type changes gets another index.
  index_id uuid not null,
  -- Text in the order in which filters compare values (app.field_value).
  value text collate "C" not null,
  -- An active record. A list has a row for each of its values.
  record_id uuid not null,
  primary key (org_id, index_id, value, record_id)
);
call app.protect('field_value');

alter table field_definition
  -- null: the field has no index.
  add column index_id uuid,
  add column index_state text collate "C" not null default 'ready' check (index_state in ('building', 'ready', 'failed')),
  -- While the index is built: the records up to this id are in it.
  add column indexed_to uuid;

-- The order of a number: all negative numbers, then the others. Two numbers that are the same double have the same text.
-- These functions are in PL/pgSQL because SQL functions that are not inlined take twenty times as long.
create function app.number_order(number numeric) returns text language plpgsql immutable strict parallel safe as $$
begin
  if number::float8 < 0 then
    return 'a' || translate(encode(float8send(number::float8), 'hex'), '0123456789abcdef', 'fedcba9876543210');
  end if;
  return 'n' || encode(float8send(number::float8 + 0), 'hex');
end $$;

-- The text of a value in an index: numbers, then texts. Numbers of a number field are equal if their values are: 5 and 5.0.
-- Longer numbers and larger exponents would overflow double precision: they are texts. Text after 200 characters is a hash,
-- because an index has no room for more.
create function app.field_value(member text, type text) returns text language plpgsql immutable strict parallel safe as $$
declare
  number numeric;
begin
  if left(member, 1) < ':' collate "C" and length(member) <= 100 then
    number := substring(member, '^-?(?:0|[1-9][0-9]*)(?:[.][0-9]+)?(?:[eE][+-]?[0-9][0-9]?)?$');
    if number is not null then
      return app.number_order(number) || case when type = 'number' then trim_scale(number)::text else member end;
    end if;
  end if;
  if length(member) > 200 then
    return 't' || left(member, 200) || chr(1) || md5(member);
  end if;
  return 't' || member;
end $$;

-- The texts of a member of custom in an index. A list has several.
create function app.field_values(custom json, key text, type text) returns text[]
  language plpgsql immutable strict parallel safe as $$
declare
  member text := custom ->> key;
begin
  if member is null then
    return '{}';
  end if;
  if left(member, 1) = '[' and json_typeof(custom -> key) = 'array' then
    return array(
      select distinct app.field_value(element, type) from json_array_elements_text(custom -> key) as element
      where element is not null);
  end if;
  return array[app.field_value(member, type)];
end $$;

-- Keeps the indexes of a table of records. A write shares a lock that each step of a build needs exclusively: a step would
-- otherwise add values that a write is just replacing.
create procedure app.index_fields(indexed text) language plpgsql as $$
declare
  body text;
begin
  body := format($f$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('field indexes ' || r.org_id, 0))
      from (select distinct org_id from inserted) as r;
      insert into field_value (org_id, index_id, value, record_id)
      select r.org_id, d.index_id, v.value, r.%1$I
      from inserted r
      join field_definition d on d.org_id = r.org_id and d.entity = %2$L and d.index_id is not null
      cross join lateral unnest(app.field_values(r.custom, d.key, d.type)) as v (value)
      where r.status = 'active'
      on conflict do nothing;
      return null;
    end $f$, indexed || '_id', indexed);
  execute format('create function app.index_inserted_%s() returns trigger language plpgsql as %L', indexed, body);
  body := format($f$
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('field indexes ' || r.org_id, 0))
      from (select distinct org_id from updated) as r;
      with changed as (
        select d.org_id, d.index_id, d.key, d.type, u.%1$I as record_id,
          case o.status when 'active' then o.custom end as before, case u.status when 'active' then u.custom end as after
        from field_definition d
        join updated u on d.org_id = u.org_id and d.entity = %2$L and d.index_id is not null
        join outdated o on o.org_id = u.org_id and o.%1$I = u.%1$I
        where o.status <> u.status or o.custom::text <> u.custom::text
      ), removed as (
        delete from field_value v using (
          select c.org_id, c.index_id, e.value, c.record_id
          from changed c cross join lateral unnest(app.field_values(c.before, c.key, c.type)) as e (value)
          except
          select c.org_id, c.index_id, e.value, c.record_id
          from changed c cross join lateral unnest(app.field_values(c.after, c.key, c.type)) as e (value)
        ) as gone
        where v.org_id = gone.org_id and v.index_id = gone.index_id and v.value = gone.value and v.record_id = gone.record_id
      )
      insert into field_value (org_id, index_id, value, record_id)
      select c.org_id, c.index_id, e.value, c.record_id
      from changed c cross join lateral unnest(app.field_values(c.after, c.key, c.type)) as e (value)
      on conflict do nothing;
      return null;
    end $f$, indexed || '_id', indexed);
  execute format('create function app.index_updated_%s() returns trigger language plpgsql as %L', indexed, body);
  execute format('create trigger index_inserted after insert on %I referencing new table as inserted for each statement execute function app.index_inserted_%s()', indexed, indexed);
  execute format('create trigger index_updated after update on %I referencing old table as outdated new table as updated for each statement execute function app.index_updated_%s()', indexed, indexed);
end $$;
call app.index_fields('contact');
call app.index_fields('company');
call app.index_fields('deal');
