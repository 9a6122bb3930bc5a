-- Single sign-on counts as tested only if somebody signed in with the client that is stored now. null: the client is older
-- than this column, and every earlier sign-in counts.
alter table sso add column client_set_at timestamptz;
