import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { merge, undo } from '../support/merges.ts'

let app: TestApp
let org: TestOrg
let own: SignedIn
let stranger: SignedIn

beforeAll(async () => {
  app = await startTestApp()
  org = await app.newOrg()
  ;[own, stranger] = [await newMember(app, org.orgId, 'member'), await newMember(app, org.orgId, 'member')]
  await runAsOwner(app.databaseUrl, `update membership set record_access = 'own' where member_id = $1`, [
    own.memberId,
  ])
})
afterAll(() => app.close())

const path = '/duplicates/recent-merges'

async function pagesOf(query: string): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let cursor = ''; ; ) {
    const { status, text, body } = await own.get(`${path}?limit=2&${query}${cursor}`)
    expect(status, text).toBe(200)
    ids.push(...body.data.map((row: { merge_id: string }) => row.merge_id))
    totals.add(body.pagination.total)
    if (!body.pagination.has_next) return { ids, totals }
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
}

test('a limited member lists the merges of seen records, and hidden merges are not examined one by one', async () => {
  const of = ({ memberId }: SignedIn, name: string) => ({ first_name: name, owner_id: memberId })
  const twin = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@seen.example' }
  const contacts = await createRecords(
    org,
    'contact',
    ...['A', 'B', 'C', 'D', 'E'].map((name) => of(own, name)),
    ...['F', 'G', 'H', 'I'].map((name) => of(stranger, name)),
    ...[own, own, stranger].map(({ memberId }) => ({ ...twin, owner_id: memberId })),
  )
  const [a, b, c, d, e, f, g, h, i, ...twins] = contacts as string[]
  // A chain: B absorbs C, and A absorbs B.
  await merge(org, 'contact', b!, c!)
  await merge(org, 'contact', a!, b!)
  // The owner of a merged record does not count: A hides that F belonged to a stranger, and G hides D.
  await merge(org, 'contact', a!, f!)
  await merge(org, 'contact', g!, d!)
  await merge(org, 'contact', h!, i!)
  const [undone] = await merge(org, 'contact', e!, h!)
  await undo(org, undone!.merge_id)
  await findAmong(app, org, 'contact', twins)
  const [acme, acmeInc] = await createRecords(
    org,
    'company',
    { name: 'Acme', owner_id: own.memberId },
    { name: 'Acme Inc' },
  )
  await merge(org, 'company', acme, acmeInc)

  const all = (await org.get(`${path}?limit=100&include_shadow=true`)).body.data
  const seen = new Set<string>()
  for (const { merge_id: id } of all)
    if ((await own.get(`/duplicates/merges/${id}`)).status === 200) seen.add(id)
  expect([all.length, seen.size]).toEqual([9, 5])

  // From now on, the function of the row-level security fails for each merge that the member does not see.
  await runAsOwner(
    app.databaseUrl,
    `create or replace function app.sees_merge(id uuid, owners uuid[]) returns boolean
      language plpgsql stable security definer set search_path = public, pg_temp as $$
    declare
      it merge;
    begin
      select * into it from merge m where m.org_id = app.org_id() and m.merge_id = id;
      if app.sees_record(it.entity, it.survivor_id, owners) and app.sees_record(it.entity, it.loser_id, owners) then
        return true;
      end if;
      raise exception 'a hidden merge was examined';
    end $$`,
  )
  for (const query of [
    ...['', 'include_shadow=true', 'status=undone', 'status=shadow', 'status=dismissed', 'min_score=0.5'],
    ...['sort=-score&include_shadow=true', 'entity_type=contact', 'entity_type=company', 'entity_type=deal'],
    ...['created_since=0', `rule=none`],
  ]) {
    const listed = (await org.get(`${path}?limit=100&${query}`)).body.data
    const expected = listed.map((row: { merge_id: string }) => row.merge_id)
    const ids = expected.filter((id: string) => seen.has(id))
    expect([query, await pagesOf(query)]).toEqual([query, { ids, totals: new Set([ids.length]) }])
  }
})
