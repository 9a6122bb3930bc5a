-- Rows that an older version refused, or refuses while it still serves, broke rules of fields.
alter table import_refusal add column code text not null default 'validation_failed';
