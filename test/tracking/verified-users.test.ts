import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { ada, identityTools, tokenOf } from '../support/identity.ts'
import { pageNamed } from '../support/markdown.ts'
import { createContact } from '../support/merges.ts'
import { readData, visitorPath } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { say, applyNew, visitorOf, contactsOf, rowOf, withSecret } = identityTools(app)

describe('a verified user', () => {
  test('a verified user is linked to the visitor, and only signed traits are written', async () => {
    const { org, key, secret } = await withSecret()
    const token = await tokenOf(secret, { traits: { email: ada.email, firstName: 'Ada' } })
    await say(key, { userId: 'u7', traits: { firstName: 'Eve' }, context: { crosswalk: { token } } })
    const [contact, ...others] = await contactsOf(org)
    expect([others, contact]).toMatchObject([
      [],
      { first_name: 'Ada', email: ada.email, external_ids: { user_id: 'u7' }, claimed_by: null },
    ])
    expect(await visitorOf(org)).toMatchObject({
      ...{ user_trust: 'verified', claims: [], own_contact_id: null },
      links: [{ user_key: 'u7', trust: 'verified', contact_ids: [contact?.contact_id], until: null }],
    })
    const { events } = (await readData(org, `${visitorPath(org)}/events`)) as never as {
      events: { context: object }[]
    }
    expect(events[0]?.context).toMatchObject({ verified_by: 'token' })
    expect(JSON.stringify(events)).not.toContain(token)
    const listed = await readData(org, `/visitors?contact_id=${contact?.contact_id}`)
    expect(listed.visitors).toHaveLength(1)
  })

  test('a user with a verified hash is linked, and the traits stay claims', async () => {
    const { org, key, userHashSecret } = await withSecret()
    const victim = await createContact(org, { ...ada, external_ids: { user_id: 'u7' } })
    const before = (await readData(org, `/contacts/${victim}`)).version
    const userHash = createHmac('sha256', userHashSecret).update('u7').digest('hex')
    await say(key, { userId: 'u7', traits: { phone: '+14155550199' }, context: { crosswalk: { userHash } } })
    expect(await visitorOf(org)).toMatchObject({ links: [{ trust: 'verified', contact_ids: [victim] }] })
    expect(await readData(org, `/contacts/${victim}`)).toMatchObject({ version: before, phone: ada.phone })
  })

  test('a user is not verified by an expired, foreign or changed token, nor by a token of another user', async () => {
    const [{ org, key, secret }, other] = [await withSecret(), await withSecret()]
    const tokens = [
      await tokenOf(secret, {}, -3_600),
      await tokenOf(secret, {}, 90_000),
      await tokenOf(other.secret, {}),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"u7","exp":9999999999}').toString('base64url')}.`,
      await tokenOf(secret, { sub: 'u8' }),
    ]
    await say(
      key,
      ...tokens.map((token, n) => ({
        userId: 'u7',
        anonymousId: `t${n}`,
        context: { crosswalk: { token }, verified_by: 'token' },
      })),
    )
    for (const n of tokens.keys())
      expect(await visitorOf(org, `t${n}`)).toMatchObject({
        user_trust: 'claimed',
        links: [],
        claims: [{ user_key: 'u7' }],
      })
    expect(await contactsOf(org)).toEqual([])
  })

  test('a stolen token writes only what was signed, for its user alone, until it expires or the secret is replaced', async () => {
    const { org, key, secret } = await withSecret()
    const token = await tokenOf(secret, { traits: { email: ada.email, phone: ada.phone } })
    const crosswalk = { token }
    await say(key, { userId: 'u7', messageId: 'm1', context: { crosswalk } })
    const [victim] = await contactsOf(org)
    const other = await createContact(org, { email: 'bob@engine.example', external_ids: { user_id: 'u8' } })
    const before = await Promise.all([rowOf(org, String(victim?.contact_id)), rowOf(org, other)])
    const lies = { email: 'eve@evil.example', phone: '+14155550199', firstName: 'Eve' }
    await say(
      key,
      // The same message again, the same token with other traits, in another browser, and for another user.
      { userId: 'u7', messageId: 'm1', traits: lies, context: { crosswalk } },
      { userId: 'u7', anonymousId: 'thief', traits: lies, context: { crosswalk, traits: lies } },
      { userId: 'u8', anonymousId: 'thief2', traits: lies, context: { crosswalk } },
      { type: 'alias', userId: 'u8', previousId: 'u7', anonymousId: 'thief3', context: { crosswalk } },
      { type: 'group', userId: 'u7', groupId: 'g1', traits: { name: 'Evil' }, context: { crosswalk } },
    )
    expect(await Promise.all([rowOf(org, String(victim?.contact_id)), rowOf(org, other)])).toEqual(before)
    expect((await org.get('/companies')).body.data).toEqual([])
    expect(await contactsOf(org)).toHaveLength(2)
    expect(await visitorOf(org, 'thief2')).toMatchObject({ links: [], claims: [{ user_key: 'u8' }] })

    // A person undoes the link, and replaces the secret: the token proves nothing anymore.
    const [link] = (await visitorOf(org, 'thief')).links
    expect(link).toMatchObject({ user_key: 'u7', trust: 'verified' })
    const undone = await org.post(`${visitorPath(org, 'thief')}/links/${link?.link_id}/undo`)
    expect(undone.status).toBe(200)
    await org.post('/tracking/identity-secret/rotate', { grace_seconds: 0 })
    await say(key, { userId: 'u7', anonymousId: 'thief', traits: lies, context: { crosswalk } })
    expect(await visitorOf(org, 'thief')).toMatchObject({ links: [], claims: [{ user_key: 'u7' }] })
    expect(await rowOf(org, String(victim?.contact_id))).toEqual(before[0])
  })

  test('an expired token proves nothing, even with the time at which it was valid', async () => {
    const { org, key, secret } = await withSecret()
    const token = await tokenOf(secret, { traits: { email: ada.email } }, -120)
    const timestamp = new Date(Date.now() - 600_000)
    await say(key, { userId: 'u7', timestamp, context: { crosswalk: { token } } })
    expect(await visitorOf(org)).toMatchObject({ links: [], claims: [{ user_key: 'u7' }] })
    expect(await contactsOf(org)).toEqual([])
  })

  test('the old secret is accepted during its grace period, and a deleted secret is refused', async () => {
    const { org, key, secret } = await withSecret()
    const rotated = await org.post('/tracking/identity-secret/rotate', { grace_seconds: 3_600 })
    expect(rotated.body.data.old_secret_expires_at).toBeGreaterThan(Date.now() / 1000)
    expect((await org.post('/tracking/identity-secret/rotate', { grace_seconds: 60 })).status).toBe(409)
    const send = async (anonymousId: string, by: string) => {
      await say(key, { userId: 'u7', anonymousId, context: { crosswalk: { token: await tokenOf(by, {}) } } })
      return (await visitorOf(org, anonymousId)).user_trust
    }
    expect([await send('a1', secret), await send('a2', rotated.body.data.identity_secret)]).toEqual([
      'verified',
      'verified',
    ])
    expect((await org.post('/tracking/identity-secret/rotate', { grace_seconds: 0 })).status).toBe(200)
    expect([await send('a3', secret), await send('a4', rotated.body.data.identity_secret)]).toEqual([
      'claimed',
      'claimed',
    ])
    expect((await org.delete('/tracking/identity-secret')).status).toBe(204)
    expect((await org.get('/tracking/identity-secret')).body.data.created_at).toBe(null)
    const types = (await org.get('/events?limit=100')).body.data.map(({ type }: { type: string }) => type)
    expect(types).toContain('tracking_settings.identity_secret_rotated')
  })
})

test('erasing a contact erases the claims, the links and the events of the visitor', async () => {
  const { org, key, secret } = await withSecret()
  const token = await tokenOf(secret, { traits: { email: ada.email } })
  await say(key, { type: 'page', name: 'before' }, { userId: 'u7', context: { crosswalk: { token } } })
  await say(key, { anonymousId: 'a2', userId: ada.email })
  const [contact] = await contactsOf(org)
  expect((await org.post(`/contacts/${contact?.contact_id}/erase`)).status).toBe(200)
  const left = await runAsOwner(
    app.databaseUrl,
    'select 1 from identity_fact where org_id = $1 union all select 1 from web_event where org_id = $1',
    [org.orgId],
  )
  expect(left).toEqual([])
  await applyNew()
  expect(await contactsOf(org)).toEqual([])
})

test('the programs of docs/guides/identify-users.md verify a user', async () => {
  const { org, key, secret } = await withSecret()
  const [server = '', page = ''] = pageNamed('docs/guides/identify-users.md').blocks.flatMap(
    ({ language, text }) => (language === 'js' ? [text] : []),
  )
  process.env.CROSSWALK_IDENTITY_SECRET = secret
  const { tokenFor } = await import(`data:text/javascript,${encodeURIComponent(server)}`)
  const token = tokenFor({ id: 'user-4711', email: ada.email, firstName: 'Ada' })
  delete process.env.CROSSWALK_IDENTITY_SECRET
  const calls: unknown[][] = []
  new Function('crosswalk', 'token', page)((...args: unknown[]) => calls.push(args), token)
  const [[, userId, traits, crosswalk] = []] = calls
  await say(key, { userId, traits, context: { crosswalk } })
  expect(await visitorOf(org)).toMatchObject({ links: [{ user_key: 'user-4711', trust: 'verified' }] })
  expect(await contactsOf(org)).toMatchObject([{ first_name: 'Ada', email: ada.email }])
})
