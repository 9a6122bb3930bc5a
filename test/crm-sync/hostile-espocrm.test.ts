import { expect, test } from 'vitest'
import { jobOf, newContact, pushAndWait } from '../support/crm-sync/crm.ts'
import { tested, useEspo } from '../support/crm-sync/espocrm.ts'

const espocrm = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
/** A hundred of these in one list would use up the memory. */
const longest = 10_000

test('a level of access that is megabytes long does not make the error of a job long', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  espo.role.entities.Lead = { create: 'yes', read: 'x'.repeat(2 * 1024 ** 2) as 'all', edit: 'all' }
  await newContact(org, ada)
  const { job_id } = await pushAndWait(org, { connection_id })
  expect(await jobOf(org, job_id)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/^The role of the API user has Read "xxx/) },
  })
  expect((await jobOf(org, job_id)).error.message.length).toBeLessThan(longest)
  const { lead } = (await tested(org, connection_id)).body.data
  expect(lead.problems.join().length).toBeLessThan(longest)
})

test('the report about a CRM that requires many fields with long names stays short', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  const name = 'y'.repeat(20_000)
  for (let at = 0; at < 150; at++) espo.fields.Lead![name + at] = { type: 'varchar', required: true }
  const { lead } = (await tested(org, connection_id)).body.data
  expect(lead.problems).toHaveLength(100)
  for (const problem of lead.problems) expect(problem.length).toBeLessThan(longest)
})

test('a field type that is an object without text does not cause an error of the server', async () => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  espo.fields.Lead!.strange = { type: { toString: 1, valueOf: 1 } } as never
  const { status, body } = await tested(org, connection_id)
  expect([status, body.data.lead.works]).toEqual([200, true])
})

test.each([
  ['a broken rule', { messageTranslation: { data: { field: 'title', type: { toString: 1 } } } }, 400],
  ['a duplicate', [{ id: { toString: 1 }, name: 'Ada' }], 409],
])('a refusal with %s that is an object without a text fails the person', async (_, said, status) => {
  const { org, connection_id, espo } = await espocrm.newOrg()
  await newContact(org, ada)
  for (let times = 0; times < 2; times++)
    espo.refusals.push({ on: /^POST .*Lead/, said: { status, body: said } })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'failed', counts: { failed: 1 } })
})
