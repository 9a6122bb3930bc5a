import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { createRecords, findAmong } from '../support/finding.ts'
import { linkedByInvitation } from '../support/invitations.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { merge, undo } from '../support/merges.ts'

let app: TestApp
let org: TestOrg
let own: SignedIn
let mate: SignedIn
let stranger: SignedIn
/** Each caller who lists the merges. */
let callers: Record<string, (path: string) => Promise<Answer>>

beforeAll(async () => {
  app = await startTestApp()
  const linked = await linkedByInvitation(app)
  org = linked.client
  const [member, person] = [
    () => newMember(app, org.orgId, 'member'),
    await newMember(app, linked.agency.orgId),
  ]
  ;[own, mate, stranger] = [await member(), await member(), await member()]
  const asOwner = (statement: string, values: string[]) => runAsOwner(app.databaseUrl, statement, values)
  const limit = 'update membership set record_access = $2 where member_id = $1'
  await asOwner(limit, [own.memberId, 'own'])
  await asOwner(limit, [mate.memberId, 'team'])
  await asOwner(`insert into team (org_id, team_id, name) values ($1, $1, 'North')`, [org.orgId])
  const join = 'insert into team_member (org_id, team_id, member_id) values ($1, $1, $2)'
  for (const { memberId } of [own, mate]) await asOwner(join, [org.orgId, memberId])
  person.orgId = org.orgId
  callers = {
    own: (path) => own.get(path),
    team: (path) => mate.get(path),
    'agency key': (path) => linked.agency.get(path, { headers: { 'x-target-org-id': org.orgId } }),
    'person of the agency': (path) => person.get(path),
  }
})
afterAll(() => app.close())

const path = '/duplicates/recent-merges'

async function pagesOf(
  get: (path: string) => Promise<Answer>,
  query: string,
): Promise<{ ids: string[]; totals: Set<number> }> {
  const ids: string[] = []
  const totals = new Set<number>()
  for (let cursor = ''; ; ) {
    const { status, text, body } = await get(`${path}?limit=2&${query}${cursor}`)
    expect(status, text).toBe(200)
    ids.push(...body.data.map((row: { merge_id: string }) => row.merge_id))
    totals.add(body.pagination.total)
    if (!body.pagination.has_next) return { ids, totals }
    cursor = `&cursor=${body.pagination.next_cursor}`
  }
}

test('each caller lists the merges of seen records, and hidden merges are not examined one by one', async () => {
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
  const deals = await createRecords(
    org,
    'deal',
    ...[own, stranger, mate, stranger, stranger, own].map(({ memberId }, at) => ({
      name: `Deal ${at}`,
      owner_id: memberId,
    })),
  )
  for (const at of [0, 2, 4]) await merge(org, 'deal', deals[at]!, deals[at + 1]!)

  const all = (await org.get(`${path}?limit=100&include_shadow=true`)).body.data
  const seen: Record<string, Set<string>> = {}
  for (const [name, get] of Object.entries(callers)) {
    seen[name] = new Set()
    for (const { merge_id: id } of all)
      if ((await get(`/duplicates/merges/${id}`)).status === 200) seen[name].add(id)
  }
  expect([all.length, ...Object.values(seen).map(({ size }) => size)]).toEqual([12, 6, 7, 12, 12])

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
    for (const [name, get] of Object.entries(callers)) {
      const ids = expected.filter((id: string) => seen[name]?.has(id))
      expect([name, query, await pagesOf(get, query)]).toEqual([
        ...[name, query],
        { ids, totals: new Set([ids.length]) },
      ])
    }
  }
})
