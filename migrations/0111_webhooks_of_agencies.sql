-- The agency whose API key owns an endpoint in a client: the key belongs to the agency, or the agency made it in the client.
-- null: the owner is a member, or a key of the organization itself.
-- webhook_endpoint is new in 0.2.0, so the version before writes no endpoints while they are updated.
alter table webhook_endpoint add column key_org_id uuid;

update webhook_endpoint e set key_org_id = coalesce(nullif(k.org_id, e.org_id), k.created_by_org_id)
from api_key k
where k.api_key_id = e.api_key_id and e.member_id is null
  and coalesce(nullif(k.org_id, e.org_id), k.created_by_org_id) <> e.org_id;
