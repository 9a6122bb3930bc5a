// Measures whether the time of a refusal tells strangers if an account exists: sign-in, links and passkeys. The cases of a
// group take turns, in a new order each round.
//   node bench/console/guessing.ts [--rounds 41]
import { createHash, randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { insertLink, type LinkKind } from '../../src/members/links.ts'
import { putMembership } from '../../src/members/memberships.ts'
import { PasswordHasher } from '../../src/members/passwords.ts'
import { insertPerson } from '../../src/members/people.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { Authenticator } from '../../test/support/authenticator.ts'
import { median } from '../support/client.ts'
import { openBench } from '../support/installation.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '41' } } })
const rounds = Number(values.rounds)
const host = 'localhost'

const bench = await openBench()
try {
  const scope = system(bench.database)
  const { orgId } = await bench.newOrg()
  const password = await new PasswordHasher(15).hash('bench', 'seven green bicycles')
  const newPerson = (name: string, hash: string | null) =>
    scope.transact(async (tx) => {
      const email = `${name}@acme.example`
      const memberId = (await insertPerson(tx, { email, emailKey: email, name, password: hash })) ?? ''
      if (name !== 'removed') await putMembership(tx, orgId, memberId, 'member')
      return memberId
    })
  await newPerson('known', password)
  await newPerson('removed', password)
  const passkeyOwner = await newPerson('passkey', null)
  const newLink = (kind: LinkKind, age: string) =>
    scope.transact(async (tx) => {
      const of = { orgId, kind, email: `${kind}@acme.example`, role: 'member', createdBy: null } as const
      const { token } = await insertLink(tx, { ...of, invitedByOrg: null })
      const hash = createHash('sha256').update(token).digest()
      await tx.run(sql`update link set expires_at = expires_at - ${age}::interval where token_hash = ${hash}`)
      return token
    })
  const expired = {
    invite: await newLink('invite', '8 days'),
    recovery: await newLink('recovery', '2 hours'),
  }

  const { address } = await bench.serve({ TRUST_PROXY: 'true' })
  const origin = `http://${host}:${new URL(address).port}`
  let clients = 0
  /** Each request comes from an address of its own, so that no limit refuses it. */
  async function send(path: string, body: object): Promise<{ ms: number; status: number; answer: unknown }> {
    const client = ++clients
    const startedAt = performance.now()
    const response = await fetch(`${origin}/console/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}`,
      },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    return { ms: performance.now() - startedAt, status: response.status, answer }
  }

  const [known, stranger] = [new Authenticator(origin), new Authenticator(origin)]
  await scope.transact((tx) =>
    tx.run(sql`
      insert into passkey (passkey_id, member_id, credential_id, public_key, counter, transports, host, is_synced, name,
        created_at)
      values (gen_random_uuid(), ${passkeyOwner}, ${known.id}, ${known.publicKey}, 0, '{}', ${host}, false, 'Phone', now())`),
  )
  /** A stranger's answer to new options: it has the id of this passkey, but the signature of another one. */
  async function credentialOf({ id }: Authenticator): Promise<object> {
    const { answer } = await send('/session/passkey/options', {})
    const { options } = (answer as { data: { options: object } }).data
    return { credential: { ...stranger.get(options), id: id.toString('base64url') } }
  }

  type Case = [name: string, path: string, body: () => object | Promise<object>]
  const signIn =
    (name: string): (() => object) =>
    () => ({ email: `${name}@acme.example`, password: 'wrong' })
  const link = (token: () => string) => () => ({ token: token(), password: 'seven green bicycles' })
  const groups: Record<string, Case[]> = {
    'sign-in': [
      ['nobody has the address', '/session', signIn('nobody')],
      ['wrong password', '/session', signIn('known')],
      ['no password', '/session', signIn('passkey')],
      ['a member of no organization', '/session', signIn('removed')],
    ],
    recovery: [
      ['unknown link', '/links/use', link(() => randomBytes(20).toString('base64url'))],
      ['expired recovery link', '/links/use', link(() => expired.recovery)],
      ['expired invitation', '/links/use', link(() => expired.invite)],
    ],
    passkey: [
      ['unknown passkey', '/session/passkey', () => credentialOf(stranger)],
      ['known passkey, wrong signature', '/session/passkey', () => credentialOf(known)],
    ],
  }
  for (const [group, cases] of Object.entries(groups)) {
    const times = new Map(cases.map(([name]) => [name, [] as number[]]))
    const answers = new Set<string>()
    // Requests that hash a password take 0.3 s, and the others take milliseconds.
    const length = group === 'sign-in' ? rounds : rounds * 10
    for (let round = -3; round < length; round++) {
      // Delete the failures, so that no request has to wait.
      await scope.transact((tx) => tx.run(sql`delete from sign_in_failure`))
      const shift = (round + 3) % cases.length
      for (const [name, path, body] of [...cases.slice(shift), ...cases.slice(0, shift)]) {
        const { ms, status, answer } = await send(path, await body())
        answers.add(`${status} ${JSON.stringify(answer)}`)
        if (round >= 0) times.get(name)?.push(ms)
      }
    }
    const [first = 0, ...others] = [...times.values()].map(median)
    console.log(`${group}: ${answers.size} different answers`)
    for (const [name, each] of times) {
      const ratio = median(each) / first
      console.log(`  ${name}: median ${median(each).toFixed(2)} ms, ${ratio.toFixed(3)} of the first case`)
    }
    const most = Math.max(...others.map((each) => Math.abs(each / first - 1)))
    console.log(`  the medians differ by at most ${(most * 100).toFixed(1)} %`)
  }
} finally {
  await bench.close()
}
