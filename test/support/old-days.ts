import type { TestApp } from './app.ts'
import { runAsOwner } from './database.ts'

/** Makes the partitions of `days` UTC days before today, which no client can send any more. */
export async function makeOldDays(app: TestApp, days: number): Promise<void> {
  await runAsOwner(
    app.databaseUrl,
    `do $$ declare d date; day_name text; begin
       perform pg_advisory_xact_lock(hashtextextended('web event days', 0));
       for n in 9..${days} loop
         d := (now() at time zone 'UTC')::date - n;
         day_name := to_char(d, '"d"YYYY_MM_DD');
         if to_regclass(format('web_event_day.%I', day_name)) is null then
           execute format('create table web_event_day.%I (like public.web_event including all)', day_name);
           execute format('alter table web_event attach partition web_event_day.%I for values from (%L) to (%L)', day_name, d, d + 1);
         end if;
       end loop; end $$`,
  )
}
