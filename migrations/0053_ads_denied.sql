-- Whether an event says that its person refuses advertising, by Global Privacy Control or by consent.
alter table web_event add column denies_ads boolean not null default false;
-- The last such event.
alter table visitor add column ads_denied_at timestamptz;
