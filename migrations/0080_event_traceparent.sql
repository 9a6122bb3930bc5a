-- The recorded operation that made the change, as W3C Trace Context. Webhooks continue its trace. null without tracing.
alter table event add column traceparent text;
