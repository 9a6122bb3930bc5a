-- Erasing a contact takes its number and what was told from the calls to it; what was called, when and for how long stays.
alter table call alter column to_number drop not null;
-- One that is under way keeps its number until it ends: its provider is asked by that.
alter table call add column erased boolean not null default false;
