// Measures the timeline of a contact whose 20 visitors have 100,000 events, among 2,000,000 events of ten organizations. The disk
// needs about 1.5 kB for each event; all is deleted at the end.
//   node bench/tracking/timelines.ts [--events 2000000] [--days 20] [--visitors 40000] [--requests 300]
import { parseArgs } from 'node:util'
import { visitorIdOf } from '../../src/tracking/wire/ids.ts'
import { load, quantile } from '../support/client.ts'
import { connected, openBench } from '../support/installation.ts'
import { fillWithHistory } from './history.ts'
import { sendEvents } from './send-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000000' },
    days: { type: 'string', default: '20' },
    visitors: { type: 'string', default: '40000' },
    requests: { type: 'string', default: '300' },
  },
})
const orgs = 10
const [visitorsOfContact, eventsOfContact] = [20, 100_000]

const bench = await openBench()
try {
  const server = await bench.serve({ DEMO: '0', LOG_LEVEL: 'error' })
  const made: { orgId: string; token: string }[] = []
  while (made.length < orgs) made.push(await bench.newOrg())
  await sendEvents(
    { bench, server, tokens: made.map(({ token }) => token) },
    { each: 20, connections: 8, total: 2_000 },
  )
  const days = Number(values.days)
  await fillWithHistory(bench, {
    orgIds: made.map(({ orgId }) => orgId),
    ...{ events: Number(values.events), days, visitors: Number(values.visitors) },
  })

  const { orgId, token } = made[0]!
  const answer = await fetch(`${server.address}/api/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', external_ids: { user_id: 'bench-user' } }),
  })
  const { data } = (await answer.json()) as { data: { contact_id: string } }
  const ids = Array.from({ length: visitorsOfContact }, (_, n) => visitorIdOf(orgId, `of the contact ${n}`))
  await connected(bench.url, async (owner) => {
    // Half of the events name the user. The link says to whom the others belong.
    await owner.query(
      `insert into web_event (org_id, day, message_key, mode, occurred_at, received_at, is_late, visitor_id, user_key, type,
        url_path, trust, properties, context, source)
      select $1, (at at time zone 'UTC')::date, gen_random_uuid(), 'live', at, at, false, ($2::uuid[])[1 + i % $3],
        case when i % 2 = 0 then 'bench-user' end, 'page', '/page-' || i % 100, case when i % 2 = 0 then 1 else 0 end, '{}', '{}',
        case when i % 1001 = 0 then '{"campaign":"May"}'::jsonb end
      from (select i, date_trunc('milliseconds', now() - i * make_interval(days => $4) / $5) as at from generate_series(0, $5 - 1) as i) as made
      where at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - make_interval(days => $4 - 1)`,
      [orgId, ids, visitorsOfContact, days, eventsOfContact],
    )
    await owner.query(
      `insert into visitor (org_id, visitor_id, mode, first_seen_at, last_seen_at, days, last_day, events, views, user_key,
        user_trust, user_at, first_source, last_source, last_source_at)
      select org_id, visitor_id, mode, min(occurred_at), max(occurred_at), array_agg(distinct day), max(day), count(*), count(*),
        'bench-user', 3, max(occurred_at), (array_agg(source order by occurred_at))[1],
        (array_agg(source order by occurred_at desc) filter (where source is not null))[1],
        max(occurred_at) filter (where source is not null)
      from web_event where org_id = $1 and visitor_id = any($2::uuid[]) group by org_id, visitor_id, mode`,
      [orgId, ids],
    )
    await owner.query(
      `insert into identity_fact (org_id, day, message_key, mode, kind, occurred_at, visitor_id, user_key, trust)
      select $1, current_date, gen_random_uuid(), 'live', 'identify', now() - interval '10 days', unnest($2::uuid[]), 'bench-user', 3`,
      [orgId, ids],
    )
    await owner.query('analyze web_event, visitor, identity_fact')
  })

  const contact = `${server.address}/api/v1/contacts/${data.contact_id}`
  const visitors = `${server.address}/api/v1/visitors?contact_id=${data.contact_id}`
  for (const [what, url] of [
    ['the timeline, 25 items', `${contact}/activity?limit=25`],
    ['the timeline, 100 web events', `${contact}/activity?limit=100&kinds=web_event`],
    ['first and last touch', `${contact}/touches`],
    ['the visitors of the contact', visitors],
  ] as const) {
    const times: number[] = []
    for (let n = 0; n < Number(values.requests); n++) {
      const { p50, others } = await load({ url, token, connections: 1, stop: { answers: 1 } })
      if (others > 0) throw new Error(`${url} was not answered with 200`)
      times.push(p50)
    }
    times.sort((one, other) => one - other)
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(times, part).toFixed(1))
    console.log(`${what}: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`)
  }
} finally {
  await bench.close()
}
