-- How many rows were refused with each code, counted when the import ends.
alter table import add column refused_by_code jsonb;
