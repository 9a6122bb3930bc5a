import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { Browser, newMember, type SignedIn } from '../support/members.ts'
import { cleanUp, startServer } from '../support/processes.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

describe('two processes with one database', () => {
  let address = ''
  beforeAll(async () => {
    const process = startServer({
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEY: testKey.toString('base64'),
      TRUST_PROXY: 'true',
    })
    address = (await process.says(/is ready at (http\S+)/))[1] ?? ''
  })

  /** A member whose session both processes have answered, and the same browser at the other process. */
  async function signIn(): Promise<{ owner: SignedIn; here: SignedIn; there: Browser }> {
    const org = await app.newOrg()
    const [owner, here] = [await newMember(app, org.orgId), await newMember(app, org.orgId, 'member')]
    const there = new Browser(address, null)
    Object.assign(there, { cookie: here.cookie, orgId: here.orgId })
    for (const each of [here, there, here, there])
      expect((await each.post('/contacts', { first_name: 'Ada' })).status).toBe(201)
    return { owner, here, there }
  }
  const read = async (browser: Browser) => (await browser.get('/contacts')).status

  test('the other process applies a smaller role within 2 s', async () => {
    const { owner, here, there } = await signIn()
    expect((await owner.patch(`/members/${here.memberId}`, { role: 'viewer' })).status).toBe(200)
    await expectWithin(2_000, async () => (await there.post('/contacts', { first_name: 'Eve' })).status, 403)
    expect(await read(there)).toBe(200)
  })

  test('the other process refuses an ended session within 2 s', async () => {
    const { here, there } = await signIn()
    const [session] = (await here.get('/sessions')).body.data
    expect((await here.delete(`/sessions/${session.session_id}`)).status).toBe(204)
    await expectWithin(2_000, () => read(there), 401)
  })

  test('the other process refuses a removed member within 2 s', async () => {
    const { owner, here, there } = await signIn()
    expect((await owner.delete(`/members/${here.memberId}`)).status).toBe(204)
    await expectWithin(2_000, () => read(there), 403)
    expect((await there.get('/session')).body.data.memberships).toEqual([])
  })
})
