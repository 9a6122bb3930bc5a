-- The list of merges and its count read only this index, with any filter.
create index merge_filtered on merge (org_id, merge_id) include (entity, status, rule, score, created_at)
  where status in ('applied', 'undone', 'shadow');
drop index merge_listed;
