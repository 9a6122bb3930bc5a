-- What an organization does with events of people who refuse analytics.
alter table tracking_settings
  -- Count their views under the id of a day.
  add column cookieless boolean not null default false,
  -- Do Not Track is such a refusal.
  add column respect_dnt boolean not null default false;
create trigger notify_auth after insert or update of cookieless, respect_dnt
  on tracking_settings for each row execute function app.notify_auth();

-- The secret of a UTC day, from which the ids of that day follow. Unlogged: it is in no archive of the write-ahead log. After
-- a crash of PostgreSQL the day gets another one, and its later views count as those of other visitors.
create unlogged table tracking_salt (
  day date primary key,
  salt bytea not null
);
grant select, insert, delete on tracking_salt to crosswalk_system;
