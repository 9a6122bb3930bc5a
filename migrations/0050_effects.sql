-- Nothing read it: the idempotency key of an effect tells whether it ran.
alter table pending_effect drop column ran_at;

-- The sweep deletes expired effects of all organizations.
create index pending_effect_by_end on pending_effect (expires_at);
