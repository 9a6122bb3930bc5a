-- Events that a server reports for a user alone, without a visitor: the timeline of a contact reads them.
-- web_event is new in 0.2.0, so the version before does not write to it while the index is made.
-- 2 is `trust.verified` in src/tracking/wire/event.ts.
create index web_event_of_server on web_event (org_id, user_key) where visitor_id is null and trust >= 2;
