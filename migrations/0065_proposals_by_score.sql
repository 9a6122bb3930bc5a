-- Lists of open proposals by score, and of dismissed proposals.
create index merge_by_score on merge (org_id, (coalesce(score, -1)) desc, merge_id desc) include (entity, status)
  where status = 'shadow';
create index merge_dismissed on merge (org_id, merge_id) include (entity, status, rule, score, created_at)
  where status = 'dismissed';
