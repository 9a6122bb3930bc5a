// Measures lists of a member with limited record access, against the same lists of an organization that has only the
// records of this member: the same contacts, with the same keys. Both run in this process, one after the other.
//   node bench/endpoints/limited.ts --folder /tmp/bench [--size 300000] [--own 2000] [--rounds 7] [--answers 150]

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { contacts } from '../../src/contacts/contacts.ts'
import type { Org } from '../../src/platform/db/org.ts'
import { onlyKey } from '../../src/platform/encryption-keys.ts'
import { Cursors } from '../../src/platform/http/cursor.ts'
import type { Comparison } from '../../src/records/filters/tree.ts'
import { listRecords, type RecordQuery } from '../../src/records/list-records.ts'
import { median, quantile } from '../support/client.ts'
import { filledOrg } from '../support/fill.ts'
import { connected, openBench, rootKey } from '../support/installation.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    size: { type: 'string', default: '300000' },
    own: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
    answers: { type: 'string', default: '150' },
  },
})
const [size, own] = [Number(values.size), Number(values.own)]
const [rounds, answers] = [Number(values.rounds), Number(values.answers)]
const cursors = new Cursors(onlyKey(rootKey))

const only = (...comparisons: Comparison[]): Pick<RecordQuery, 'filter'> => ({
  filter: { tree: { and: comparisons }, places: new Map() },
})
const first = { limit: 25 }
const lists: Record<string, RecordQuery> = {
  'first page': first,
  'oldest first': { ...first, sort: 'created_at' },
  'page of 100': { limit: 100 },
  'sorted by name': { ...first, sort: 'name' },
  'sorted by change': { ...first, sort: '-updated_at' },
  'a column (city)': { ...first, ...only({ field: 'city', op: 'eq', value: 'London' }) },
  'a start (last_name)': { ...first, ...only({ field: 'last_name', op: 'starts_with', value: 'Last1' }) },
  'a key (email)': { ...first, ...only({ field: 'email', op: 'eq', value: 'p150@x.example' }) },
  'a key of many (tag)': { ...first, ...only({ field: 'tag', op: 'eq', value: 't150' }) },
  'search (rare word)': { ...first, q: 'last150' },
  'search (common word)': { ...first, q: 'ada' },
}

/** Gives each contact of `orgId` an owner: `memberId` owns every n-th, so that the member owns `own` contacts. */
async function giveOwners(url: string, orgId: string, memberId: string): Promise<void> {
  const every = Math.floor(size / own)
  const others = Array.from({ length: 20 }, () => randomUUID())
  await connected(url, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(
      `update contact c set owner_id = case when n % $2 = 0 then $3::uuid else ($4::uuid[])[1 + n % 20] end
       from (select contact_id, row_number() over (order by contact_id) - 1 as n from contact where org_id = $1) as numbered
       where c.org_id = $1 and c.contact_id = numbered.contact_id`,
      [orgId, every, memberId, others],
    )
    await client.query(
      `insert into record_total select org_id, 'contact of ' || owner_id, count(*) from contact where org_id = $1 group by org_id, owner_id
       on conflict (org_id, entity) do update set total = excluded.total`,
      [orgId],
    )
    await client.query('vacuum analyze contact')
  })
}

/** Copies the contacts of an owner, with their keys, into another organization. */
async function copyOwned(url: string, from: string, to: string, memberId: string): Promise<void> {
  await connected(url, async (client) => {
    await client.query('set session_replication_role = replica')
    const owned = `select contact_id from contact where org_id = $1 and owner_id = $3`
    const changed = `jsonb_build_object('org_id', $2::text, 'search', replace(c.search::text, right($1::text, 8), right($2::text, 8)))`
    await client.query(
      `insert into contact select (jsonb_populate_record(c, ${changed})).* from contact c
       where c.org_id = $1::uuid and c.owner_id = $3::uuid`
        .replaceAll('$1::text', '$1::uuid::text')
        .replaceAll('$2::text', '$2::uuid::text'),
      [from, to, memberId],
    )
    await client.query(
      `insert into contact_key select $2, kind, hash, contact_id from contact_key
       where org_id = $1 and contact_id in (${owned})`,
      [from, to, memberId],
    )
    await client.query(
      `insert into record_total select org_id, 'contact', count(*) from contact where org_id = $1 group by 1`,
      [to],
    )
    await client.query('vacuum analyze contact')
    await client.query('vacuum analyze contact_key')
  })
}

const bench = await openBench(values.folder)
try {
  const { orgId } = await filledOrg(bench, bench.folder, size)
  const small = (await bench.newOrg()).orgId
  const memberId = randomUUID()
  await giveOwners(bench.url, orgId, memberId)
  await copyOwned(bench.url, orgId, small, memberId)
  const orgs = {
    limited: bench.database.org(orgId, { memberId, recordAccess: 'own' }),
    alone: bench.database.org(small, { memberId }),
  }
  const time = async (org: Org, query: RecordQuery) => {
    const startedAt = performance.now()
    const { pagination } = await listRecords(org, cursors, contacts, query)
    return { ms: performance.now() - startedAt, total: pagination.total }
  }
  for (const [name, query] of Object.entries(lists)) {
    const times = { limited: [] as number[], alone: [] as number[] }
    const ratios: number[] = []
    const totals = { limited: 0, alone: 0 }
    for (let round = -1; round < rounds; round++) {
      const medians = { limited: 0, alone: 0 }
      for (const kind of round % 2 === 0
        ? (['limited', 'alone'] as const)
        : (['alone', 'limited'] as const)) {
        const measured: number[] = []
        for (let n = 0; n < answers; n++) {
          const { ms, total } = await time(orgs[kind], query)
          measured.push(ms)
          totals[kind] = total
        }
        medians[kind] = median(measured)
        if (round >= 0) times[kind].push(...measured)
      }
      if (round >= 0) ratios.push(medians.limited / medians.alone)
    }
    if (totals.limited !== totals.alone)
      throw new Error(`${name}: ${totals.limited} and ${totals.alone} records`)
    const p50 = (kind: keyof typeof times) =>
      quantile(
        times[kind].sort((a, b) => a - b),
        0.5,
      ).toFixed(2)
    console.log(
      `${name.padEnd(22)} ${String(totals.limited).padStart(5)} records   limited ${p50('limited')} ms   alone ${p50('alone')} ms   ratio ${median(ratios).toFixed(2)}`,
    )
  }
} finally {
  await bench.close()
}
