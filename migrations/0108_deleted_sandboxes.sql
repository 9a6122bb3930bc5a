-- Members and apps that reach a sandbox lose it when it is deleted, before its rows are.
create trigger notify_auth after update of status on sandbox for each row
  when (new.status = 'deleted' and old.status <> 'deleted') execute function app.notify_auth();
