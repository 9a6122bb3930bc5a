-- An endpoint may get only events of records in a segment. The segment cannot be deleted as long as an endpoint uses it.
alter table webhook_endpoint
  add column segment_id uuid,
  add foreign key (org_id, segment_id) references segment (org_id, segment_id),
  drop constraint webhook_endpoint_disabled_reason_check,
  add constraint webhook_endpoint_disabled_reason_check
    check (disabled_reason in ('by_request', 'gone', 'no_success', 'member_left', 'segment_invalid'));

-- A count is renewed by its age, so it needs no snapshot.
alter table segment drop column counted_after;
