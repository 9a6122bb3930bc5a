-- The app through which a person placed a call: the events that come later name the app, too.
-- Who asked to cancel a call. It is stored before the provider is asked, because a callback of the provider may end the
-- call before its answer arrives.
alter table call
  add column connected_app_id uuid,
  add column canceled_by_api_key_id uuid,
  add column canceled_by_member_id uuid,
  add column canceled_by_connected_app_id uuid;
