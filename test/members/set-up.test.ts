import { afterAll, afterEach, expect, test } from 'vitest'
import { createSetUpLink } from '../../src/members/set-up.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { Browser, newMember } from '../support/members.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())
afterEach(() => app.operate((tx) => tx.run(sql`delete from membership`)))

const password = 'seven green bicycles'
const offer = () => app.operate(createSetUpLink)
const open = (token = '') => new Browser(app.address, null).post('/links/open', { token })
let people = 0
const use = (token = '', more = {}) =>
  new Browser(app.address, null).post('/links/use', {
    ...{ token, email: `first-${++people}@acme.example`, name: 'Ada', password },
    ...more,
  })

// This test comes first, because it needs an installation without organizations.
test('if there is no organization, the set-up link creates one with the name that the person enters', async () => {
  const made = await offer()
  expect(made?.orgName).toBeNull()
  expect((await open(made?.token)).body.data).toEqual({
    ...{ kind: 'set_up', org_name: null, email: null, role: 'owner', has_account: false, sso_org_id: null },
  })
  const unnamed = await use(made?.token)
  expect([unnamed.status, unnamed.body.detail[0].loc]).toEqual([422, ['body', 'org_name']])
  const answers = await Promise.all([
    use(made?.token, { org_name: 'Acme' }),
    use(made?.token, { org_name: 'Acme' }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const owner = answers.find(({ status }) => status === 200)
  expect(owner?.body.data.memberships).toMatchObject([{ org_name: 'Acme', role: 'owner', permissions: null }])
  expect(await offer()).toBeNull()
})

test('the set-up link makes its user the owner of the oldest organization', async () => {
  await app.newOrg({ name: 'Younger' })
  const made = await offer()
  expect(made?.orgName).toBe('Acme')
  const { memberships } = (await use(made?.token)).body.data
  expect(memberships).toMatchObject([{ org_name: 'Acme', role: 'owner' }])
})

test('a used, an expired and an unknown set-up link get the same answer', async () => {
  const used = await offer()
  expect((await use(used?.token)).status).toBe(200)
  await app.operate((tx) => tx.run(sql`delete from membership`))
  const expired = await offer()
  await app.operate((tx) => tx.run(sql`update link set expires_at = now()`))
  const unknown = await use('A'.repeat(27))
  expect([unknown.status, unknown.body.code]).toEqual([404, 'link_unusable'])
  for (const link of [used, expired])
    for (const answer of [await open(link?.token), await use(link?.token)])
      expect([answer.status, answer.text]).toEqual([404, unknown.text])
})

test('each process that starts gets a set-up link, and one of them makes an owner, even if several are used at once', async () => {
  const [one, other, third] = [await offer(), await offer(), await offer()]
  const answers = await Promise.all([use(one?.token), use(other?.token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
  expect((await open(third?.token)).status).toBe(404)
})

test('the set-up link stops working when another person becomes an owner', async () => {
  const made = await offer()
  const { orgId } = await app.newOrg()
  await newMember(app, orgId, 'admin')
  expect((await open(made?.token)).status).toBe(200)
  await newMember(app, orgId, 'owner')
  expect((await use(made?.token)).status).toBe(404)
})

test('the list of links has the set-up link until somebody becomes an owner', async () => {
  await app.operate((tx) => tx.run(sql`delete from link`))
  await offer()
  const acme = await app.operate((tx) =>
    tx.first(sql<{ org_id: string }>`select org_id from link where kind = 'set_up'`),
  )
  const admin = await newMember(app, acme?.org_id ?? '', 'admin')
  const kinds = async () =>
    (await admin.get('/members/links')).body.data.map(({ kind }: { kind: string }) => kind)
  expect(await kinds()).toEqual(['set_up'])
  await newMember(app, (await app.newOrg()).orgId, 'owner')
  expect(await kinds()).toEqual([])
})
