-- Whether the person had signed in with the single sign-on of home_org_id when they connected the app. An app without it
-- stops while the organization requires single sign-on, as sessions do.
alter table connected_app add column via_sso boolean not null default false;
