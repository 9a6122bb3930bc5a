import { afterAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestOrg } from '../support/app.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

const atOnce = 32
const phones = Array.from({ length: 50 }, (_, at) => `12${at}`)
const named = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => ({ last_name: `${name} ${at}` }))
const keyed = (org: TestOrg, key: string, items: object[]): Promise<Answer> =>
  org.post('/contacts/batch', { items }, { headers: { 'idempotency-key': key } })

/** Sends `requests` of one organization, many at once, while `other` reads. Returns the answers to `requests`. */
async function flood(other: TestOrg, requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  const { text: list } = await other.get('/contacts?limit=100')
  const [{ contact_id: id }] = JSON.parse(list).data
  const { text: one } = await other.get(`/contacts/${id}`)
  const left = requests.values()
  const answers: Answer[] = []
  let isDone = false
  const clients = Array.from({ length: atOnce }, async () => {
    for (const send of left) answers.push(await send())
  })
  const flooded = Promise.all(clients).finally(() => {
    isDone = true
  })
  let reads = 0
  while (!isDone) {
    for (const [path, expected] of [
      ['/contacts?limit=100', list],
      [`/contacts/${id}`, one],
    ]) {
      const { status, text } = await other.get(path!)
      expect([status, text]).toEqual([200, expected])
    }
    reads++
  }
  await flooded
  expect(reads).toBeGreaterThan(5)
  return answers
}

async function neighbor(): Promise<TestOrg> {
  const org = await app.newOrg()
  expect((await org.post('/contacts/batch', { items: named(100, 'Neighbor') })).status).toBe(200)
  return org
}

test('while one organization erases 501 contacts that share a stored answer, another organization reads its contacts unchanged', async () => {
  const [busy, other] = [await app.newOrg(), await neighbor()]
  const { body } = await keyed(busy, 'made', named(500, 'Busy'))
  const ids: string[] = body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  const create = () =>
    busy.post('/contacts', { last_name: 'Lovelace' }, { headers: { 'idempotency-key': 'one' } })
  ids.push((await create()).body.data.contact_id)
  // Send each id twice: of two concurrent erasures, only one finds the contact.
  const answers = await flood(
    other,
    [...ids, ...ids.toReversed()].map((id) => () => busy.post(`/contacts/${id}/erase`)),
  )
  const statuses = answers.map(({ status }) => status)
  for (const status of [200, 404]) expect(statuses.filter((each) => each === status)).toHaveLength(501)
  expect((await busy.get('/contacts')).body.pagination.total).toBe(0)
  // The stored answer to the batch has only ids, so it is kept. The stored answer with a name was blanked.
  expect((await keyed(busy, 'made', named(500, 'Busy'))).body).toEqual(body)
  expect((await create()).text).not.toContain('Lovelace')
})

test('one organization can replay large stored answers unchanged while another organization reads its contacts', async () => {
  const [busy, other] = [await app.newOrg(), await neighbor()]
  const items = Array.from({ length: 500 }, (_, at) => ({ last_name: `n${at}`, phones }))
  const keys = ['a', 'b', 'c', 'd']
  const first = new Map<string, string>()
  for (const key of keys) first.set(key, (await keyed(busy, key, items)).text)
  expect(first.get('a')!.length).toBeGreaterThan(100_000)
  const answers = await flood(
    other,
    Array.from({ length: 64 }, (_, at) => async () => {
      const key = keys[at % keys.length]!
      const answer = await keyed(busy, key, items)
      if (answer.status === 200) expect(answer.text === first.get(key)).toBe(true)
      return answer
    }),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(32)
})
