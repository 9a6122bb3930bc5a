-- Who may approve an effect of an API key: members with this permission. An effect of an app is approved by its person.
alter table pending_effect add column permission text not null default '*', add column asked_by text not null default '';
