import { describe, expect, test, vi } from 'vitest'
import { itemsOf, newContact, newContacts, push, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import { useEspo } from '../support/crm-sync/espocrm.ts'
import { patience } from '../support/patience.ts'

const espocrm = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const allowed = { settings: { allow_duplicates: true } }

describe('late POST requests', () => {
  test.each([{}, allowed])(
    'a POST that EspoCRM handles after the client has disconnected creates one Lead (%j)',
    async (body) => {
      const { org, connection_id, espo } = await espocrm.newOrg(body)
      const contactId = await newContact(org, ada)
      const late = Promise.withResolvers<void>()
      espo.server.fault({ on: /^POST/, when: 'after', how: 'late', until: late.promise })
      expect(await pushAndWait(org, { connection_id })).toMatchObject({
        status: 'succeeded',
        counts: { created: 1 },
      })
      late.resolve()
      await vi.waitFor(() => expect(espo.server.underWay).toBe(0), patience)
      expect(Object.fromEntries(espo.perKey())).toEqual({ [contactId]: 1 })
    },
  )

  test('a retry finds the Lead of a late POST by the Crosswalk id, although the 409 lists five other people of that name', async () => {
    const { org, connection_id, espo } = await espocrm.newOrg(allowed)
    for (const _ of Array(6)) espo.add('Lead', { firstName: 'Ada', lastName: 'Lovelace' })
    const contactId = await newContact(org, ada)
    // EspoCRM inserts the Lead of an earlier POST after this push searched and before it posts.
    espo.server.hold = ({ method }) => {
      if (method !== 'POST' || espo.perKey().has(contactId)) return
      espo.add('Lead', { firstName: 'Ada', lastName: 'Lovelace', crosswalkId: contactId })
    }
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
    expect(espo.perKey().get(contactId)).toBe(1)
  })
})

test('with allow_duplicates, a push creates people whom EspoCRM refuses as duplicates, each once', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg(allowed)
  espo.add('Lead', { firstName: 'Ada', lastName: 'Lovelace', emailAddress: 'ada@example.com' })
  const contactId = await newContact(org, ada)
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
  expect(espo.perKey().get(contactId)).toBe(1)
  const posts = espo.server.requests.filter(({ method }) => method === 'POST')
  expect(posts.map(({ headers }) => headers['x-skip-duplicate-check'])).toEqual([undefined, 'true'])
})

test('a push never sends two people with one address or name at the same time, so EspoCRM finds all duplicates', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  espo.insertMs = 30
  const pairs = Array.from({ length: 6 }, (_, index) => [
    { first_name: 'One', last_name: `Pair ${index}`, email: `pair${index}@example.com` },
    index % 2 === 0
      ? { first_name: 'Other', last_name: `Twin ${index}`, email: `Pair${index}@example.com` }
      : { first_name: 'one', last_name: `PAIR ${index}`, email: `twin${index}@example.com` },
  ])
  await newContacts(org, pairs.flat())
  const jobId = await push(org, { connection_id })
  expect(await untilJobEnds(org, jobId)).toMatchObject({ counts: { created: 6, failed: 6 } })
  expect(espo.all()).toHaveLength(6)
  const failed = await itemsOf(org, jobId, '&outcome=failed')
  for (const { error } of failed) expect(error!.message).toContain('allow_duplicates')
})
