-- How the cells of the file are written. null: forms with several meanings, such as 1,5 and 03/04/2026, are refused.
alter table import
  add column decimal_sign text check (decimal_sign in ('point', 'comma')),
  add column date_order text check (date_order in ('day_month', 'month_day'));
