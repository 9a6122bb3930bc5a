-- The app through which a person installed a signature: the event of the install names the app, too.
alter table signature_push add column connected_app_id uuid;
