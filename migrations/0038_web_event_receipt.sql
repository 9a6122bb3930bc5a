-- The live stream reads the events of an organization in the order of their receipt.
create index web_event_by_receipt on web_event (org_id, received_at desc);
