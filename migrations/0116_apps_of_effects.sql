-- The app through which a person placed a call, pushed people to a CRM or installed a signature: the events that come
-- later name the app, too.
alter table call add column connected_app_id uuid;
alter table crm_job add column connected_app_id uuid;
alter table signature_push add column connected_app_id uuid;

-- Who asked to cancel a call. It is stored before the provider is asked, because a callback of the provider may end the
-- call before its answer arrives.
alter table call
  add column canceled_by_api_key_id uuid,
  add column canceled_by_member_id uuid,
  add column canceled_by_connected_app_id uuid;
