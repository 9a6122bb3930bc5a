-- The visitors whom more than a claim of a browser connects to a person. Everybody can make any number of claims about a
-- person, so without these indexes a timeline would read all of them.
create index visitor_by_proven_user on visitor (org_id, mode, user_key, last_seen_minute desc, visitor_id desc)
  where user_trust >= 2;
create index identity_fact_linked on identity_fact (org_id, person, visitor_id)
  where trust >= 2 and undone_at is null and visitor_id is not null;
