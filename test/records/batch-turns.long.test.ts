import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { usualLongestTurn } from '../support/turns.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

/** In milliseconds of CPU. Without slices, each of these requests would block the event loop for 200 or more. */
const turnMax = 100
const email = 'anna@x.example'

test('changes of records with 64 KiB of custom, and their lists of candidates, block the thread for at most 100 ms', async () => {
  const org = await app.newOrg()
  // At most 30 records with the same match key are compared.
  const people = Array.from({ length: 60 }, (_, n) => ({
    first_name: 'Anna',
    last_name: 'Smith',
    ...(n < 30 ? { email } : { phone: `+141555501${n}` }),
    emails: [`anna${n % 30}@x.example`],
  }))
  const made = await org.post('/contacts/batch', { items: people })
  const ids: string[] = made.body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  const custom = JSON.stringify(Object.fromEntries(Array.from({ length: 4_500 }, (_, n) => [`key${n}`, n])))
  await withClient(app, (client) => client.query('update contact set custom = $1', [custom]))
  let changes = 0
  const send = async (change: object) => {
    const items = ids.map((contact_id) => ({ contact_id, ...change }))
    const { body } = await org.post('/contacts/batch', { items })
    expect(body.data.filter(({ outcome }: { outcome: string }) => outcome === 'failed')).toEqual([])
  }
  expect(await usualLongestTurn(() => send({ job_title: `Engineer ${++changes}` }), turnMax)).toBeLessThan(
    turnMax,
  )
  const path = `/duplicates/candidates?entity_type=contact&record_id=${ids[0]}`
  expect(await usualLongestTurn(() => org.get(path), turnMax)).toBeLessThan(turnMax)
})

test('a batch read reads 500 national phone numbers in turns of at most 15 ms', async () => {
  const org = await app.newOrg({ country: 'GB' })
  const phones = Array.from({ length: 500 }, (_, n) => `07700 ${900_000 + n}`)
  const read = async () => expect((await org.post('/contacts/batch/read', { phones })).status).toBe(200)
  await read()
  expect(await usualLongestTurn(read, 15)).toBeLessThan(15)
})
