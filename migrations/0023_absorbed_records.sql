-- What a record absorbed, as answers show it; null: nothing. A merge and an undo write both columns.
alter table contact add column merged_ids uuid[], add column merged_external_ids json;
alter table company add column merged_ids uuid[], add column merged_external_ids json;
alter table deal add column merged_ids uuid[], add column merged_external_ids json;
