-- The order in which differences are folded. Without it, each fold reads the whole table, with the rows that PostgreSQL
-- cannot remove yet because an export or a backup keeps its snapshot.
create index concurrently if not exists record_delta_order on record_delta (delta_id);
