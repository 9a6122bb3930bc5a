-- When a deal is expected to close, and how likely it is to be won, in percent.
alter table deal
  add column expected_close_on date,
  add column probability integer check (probability between 0 and 100);
