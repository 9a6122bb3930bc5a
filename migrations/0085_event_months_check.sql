-- Reads the whole table, while others read and write it.
alter table event validate constraint event_before_months;
