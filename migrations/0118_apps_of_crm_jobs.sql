-- The app through which a person pushed people to a CRM: the event of the end names the app, too.
alter table crm_job add column connected_app_id uuid;
