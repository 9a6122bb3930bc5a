-- json, not jsonb: given back in the order in which they were written, and without parsing them again for each answer.
alter table contact alter external_ids drop default, alter external_ids type json, alter external_ids set default '{}';
alter table company alter external_ids drop default, alter external_ids type json, alter external_ids set default '{}';
