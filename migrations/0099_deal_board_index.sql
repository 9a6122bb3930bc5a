-- A column of a board: the open deals of a stage, with the last change first.
create index concurrently if not exists deal_board on deal (org_id, deal_status, stage, updated_at, deal_id) where status = 'active';
