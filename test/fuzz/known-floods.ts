import { randomUUID } from 'node:crypto'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { callbackPath } from '../../src/voice/calls/callbacks.ts'
import type { TestApp, TestOrg } from '../support/app.ts'
import type { HeavyRequest } from './heaviest.ts'

const records = 20_000
const perBatch = 500
const clients = 50

const phones = Array.from({ length: 50 }, (_, at) => `12${at}`)
const badPhones = {
  method: 'POST',
  path: '/contacts/batch',
  body: Buffer.from(
    JSON.stringify({
      items: Array.from({ length: perBatch }, (_, at) => ({ last_name: `n${at}`, phones })),
    }),
  ),
}
/** Contacts that one search finds, and that no scan treats as duplicates. */
const people = () =>
  Array.from({ length: perBatch }, () => ({
    first_name: 'Anna',
    last_name: randomUUID().replaceAll('-', ''),
  }))

/** Creates enough contacts to make searches and lists expensive. */
export async function fillWithContacts(org: TestOrg): Promise<void> {
  for (let made = 0; made < records; made += perBatch) await makeContacts(org, people())
}

/** Floods that no schema describes, because they need many records, many clients, or stored answers. */
export function knownFloods(app: TestApp, org: TestOrg): HeavyRequest[] {
  return [
    { ...badPhones, name: 'a batch of bad phone numbers' },
    {
      ...badPhones,
      name: 'a batch of bad phone numbers by one agency key in many clients',
      prepare: async () => {
        const made = await Promise.all(Array.from({ length: clients }, () => app.newOrg()))
        for (const { orgId } of made) await app.operate((tx) => linkOrgs(tx, org.orgId, orgId))
        return made.map(({ orgId }) => ({ headers: { 'x-target-org-id': orgId } }))
      },
    },
    {
      name: 'changes of a contact with many merged ids, and as many addresses as it may have',
      ...{ method: 'PATCH', path: '/contacts/none', body: null },
      prepare: async (count) => {
        const ids = await makeMergedContact(org)
        return Array.from({ length: count }, (_, at) => ({
          path: `/contacts/${ids[at % ids.length]}`,
          body: Buffer.from(JSON.stringify({ last_name: `Ada ${at}` })),
        }))
      },
    },
    ...['a', 'anna'].map((q) => ({
      name: `a search for ${q} that finds each of ${records} contacts`,
      ...{ method: 'GET', path: `/contacts?limit=100&q=${q}`, body: null },
    })),
    ...forgedCallbacks(app, org),
    {
      ...badPhones,
      name: 'replays of large stored answers',
      prepare: async () => {
        const keys = Array.from({ length: 10 }, (_, at) => ({ 'idempotency-key': `large ${at}` }))
        for (const headers of keys)
          await org.post(badPhones.path, undefined, {
            headers: { 'content-type': 'application/json', ...headers },
            raw: badPhones.body,
          })
        return keys.map((headers) => ({ headers }))
      },
    },
    {
      name: 'erasures of contacts that share large stored answers',
      ...{ method: 'POST', path: '/contacts/none/erase', body: null },
      prepare: async (count) => {
        const ids: string[] = []
        while (ids.length < count) ids.push(...(await makeContacts(org, people(), `erased ${ids.length}`)))
        return ids.slice(0, count).map((id) => ({ path: `/contacts/${id}/erase` }))
      },
    },
  ]
}

const from = (at: number) => ({ 'x-forwarded-for': `10.8.0.${at}` })

/** Callbacks about calls with wrong signatures: an organization knows the address of its own. */
function forgedCallbacks(app: TestApp, org: TestOrg): HeavyRequest[] {
  const post = (provider: string) => ({
    ...{ method: 'POST', path: callbackPath(provider, app.app.context.orgTokens.make(org.orgId)) },
    ...{ contentType: 'application/x-www-form-urlencoded', perSecond: 200 },
  })
  const form = (pairs: number, bytes: number) =>
    Buffer.from(Array.from({ length: pairs }, (_, at) => `k${at}=${'A'.repeat(bytes / pairs)}`).join('&'))
  const prepare = async () => {
    const credentials = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'b'.repeat(32) }
    const { status, text } = await org.patch('/voice/settings', { provider: 'twilio', credentials })
    if (status !== 200) throw new Error(`The credentials cannot be stored: ${status} ${text}`)
    return Array.from({ length: 200 }, (_, at) => ({ headers: { ...from(at), 'x-twilio-signature': 'x' } }))
  }
  return [
    { ...post('twilio'), name: 'forged callbacks of 16 KB', body: form(480, 12_000), prepare },
    { ...post('twilio'), name: 'forged callbacks of 258 KB', body: form(400, 256_000), prepare },
    {
      ...{ ...post('livekit'), name: 'forged callbacks of 258 KB with a token', body: form(400, 256_000) },
      prepare: async () => {
        const key = { api_key: 'key', api_secret: 'c'.repeat(32), sip_trunk_id: 'ST_x', agent_name: 'a' }
        const credentials = { url: 'wss://livekit.example.com', ...key }
        const { status, text } = await org.patch('/voice/settings', { provider: 'livekit', credentials })
        if (status !== 200) throw new Error(`The credentials cannot be stored: ${status} ${text}`)
        return Array.from({ length: 200 }, (_, at) => ({
          headers: { ...from(at), authorization: 'Bearer a.b.c' },
        }))
      },
    },
  ]
}

async function makeContacts(org: TestOrg, items: object[], key?: string): Promise<string[]> {
  const { status, text, body } = await org.post(
    '/contacts/batch',
    { items },
    { headers: key === undefined ? {} : { 'idempotency-key': key } },
  )
  if (status !== 200) throw new Error(`The contacts cannot be made: ${status} ${text}`)
  return body.data.map(({ contact_id: id }: { contact_id: string }) => id)
}

/** Makes a contact of 500 ids that have 2,000 addresses and 2,000 phone numbers together. Returns its ids. */
async function makeMergedContact(org: TestOrg): Promise<string[]> {
  const name = randomUUID()
  const items = Array.from({ length: perBatch }, (_, at) => ({
    first_name: 'Ada',
    emails: Array.from({ length: 4 }, (_, place) => `a${at}.${place}@${name}.example.com`),
    phones: Array.from({ length: 4 }, (_, place) => `+4930${1_000_000 + at * 4 + place}`),
  }))
  const [survivor_id = '', ...losers] = await makeContacts(org, items)
  for (let at = 0; at < losers.length; at += 20) {
    const loser_ids = losers.slice(at, at + 20)
    const { status, text } = await org.post('/duplicates/merge', {
      ...{ entity_type: 'contact', survivor_id, loser_ids },
    })
    if (status !== 200) throw new Error(`The contacts cannot be merged: ${status} ${text}`)
  }
  return [survivor_id, ...losers]
}
