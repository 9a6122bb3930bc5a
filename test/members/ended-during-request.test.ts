import { Secret, TOTP } from 'otpauth'
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../src/platform/db/sql.ts'
import { startTestApp } from '../support/app.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { newMember, type SignedIn } from '../support/members.ts'
import { passkeysAt } from '../support/passkeys.ts'

const app = await startTestApp({ trustProxy: true })
afterAll(() => app.close())
const { newDevice, memberHere, optionsAt, addPasskey } = passkeysAt(app)

const next = 'eight yellow tricycles'
type Change = (member: SignedIn) => Promise<() => ReturnType<SignedIn['send']>>

const changes: [string, Change][] = [
  [
    'turns the second factor on',
    async (member) => {
      const { secret } = (await member.post('/session/totp/offer')).body.data
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
      return () => member.send('PUT', '/session/totp', { body: { secret, code } })
    },
  ],
  ['turns the second factor off', async (member) => () => member.delete('/session/totp')],
  ['replaces recovery codes', async (member) => () => member.post('/session/totp/recovery-codes')],
  [
    'adds a passkey',
    async (member) => {
      const credential = newDevice().create(await optionsAt(member, '/session/passkeys/options'))
      return () => member.post('/session/passkeys', { name: 'Late', credential })
    },
  ],
  [
    'renames a passkey',
    async (member) => {
      const { passkey_id: id } = (await addPasskey(member)).passkey
      return () => member.patch(`/session/passkeys/${id}`, { name: 'Late' })
    },
  ],
  [
    'deletes a passkey',
    async (member) => {
      const { passkey_id: id } = (await addPasskey(member)).passkey
      return () => member.delete(`/session/passkeys/${id}`)
    },
  ],
  ['adds a password', async (member) => () => member.post('/session/password', { new_password: next })],
]

test.each(changes)(
  'a request that %s does nothing if its session ends before it takes effect',
  async (what, change) => {
    const member = await memberHere()
    const { memberId } = member
    const set = what.includes('password')
      ? sql`update member set password = null where member_id = ${memberId}`
      : sql`update member set totp_secret = '\\x00' where member_id = ${memberId}`
    if (!what.endsWith('on')) await app.operate((tx) => tx.run(set))
    const send = await change(member)
    const stored = () =>
      app.operate((tx) =>
        tx.rows(sql`
        select m.*, (select array_agg(name) from passkey p where p.member_id = m.member_id) as passkeys,
          (select count(*) from session s where s.member_id = m.member_id) as sessions
        from member m where m.member_id = ${memberId}`),
      )
    await withClient(app, async (client) => {
      await client.query('begin')
      await client.query('select from member where member_id = $1 for update', [memberId])
      const answer = send()
      await untilBlocked(client)
      await client.query('delete from session where member_id = $1', [memberId])
      await client.query('commit')
      const before = await stored()
      expect([(await answer).status, (await answer).body.code]).toEqual([401, 'session_ended'])
      expect(await stored()).toEqual(before)
      expect(before).toMatchObject([{ sessions: 0 }])
    })
  },
)

const links: [string, Change][] = [
  [
    'invites a person',
    async (member) => () => member.post('/members/invites', { email: 'new@acme.example', role: 'member' }),
  ],
  [
    'makes a recovery link',
    async (member) => {
      const { memberId } = await newMember(app, member.orgId ?? '', 'member')
      return () => member.post('/members/recovery-links', { member_id: memberId })
    },
  ],
]

test.each(links)('a request that %s does nothing if its session ends meanwhile', async (_what, change) => {
  const member = await memberHere()
  const send = await change(member)
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('delete from session where member_id = $1', [member.memberId])
    const answer = send()
    await Promise.race([untilBlocked(client), answer])
    await client.query('commit')
    expect([(await answer).status, (await answer).body.code]).toEqual([401, 'session_ended'])
    const { rows } = await client.query('select from link where org_id = $1', [member.orgId])
    expect(rows).toEqual([])
  })
})
