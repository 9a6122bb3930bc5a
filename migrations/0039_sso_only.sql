-- The membership counts only in sessions that began at the single sign-on of its organization: the account was there
-- before, and its password may belong to somebody who took the address first.
alter table membership add column sso_only boolean not null default false;
