-- How consent was given or denied: {"kind": written|oral|implied, "source", "at" (Unix seconds)}, each of them perhaps null;
-- null: not known.
alter table contact add column consent_email_details jsonb;
alter table contact add column consent_phone_details jsonb;
