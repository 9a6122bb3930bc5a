import { expect, test } from 'vitest'
import type { TestOrg } from '../support/app.ts'
import { crmBase, itemsOf, newContact, pushAndWait, untilJobEnds } from '../support/crm-sync/crm.ts'
import { useEspo } from '../support/crm-sync/espocrm.ts'
import { espoError, forbidden } from '../support/stand-ins/espocrm.ts'

const server = useEspo()

const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', company_name: 'Engines' }

async function errorOf(org: TestOrg, connection_id: string): Promise<string> {
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'failed', counts: { failed: 1 } })
  const [item] = await itemsOf(org, job.job_id)
  return item!.error!.message
}

test('a person whom EspoCRM refuses as a duplicate fails with the name of the other record, or is created if duplicates are allowed', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const twin = espo.add('Lead', { firstName: 'A.', lastName: 'Lovelace', emailAddress: 'ada@example.com' })
  await newContact(org, ada)
  const error = await errorOf(org, connection_id)
  expect(error).toContain(`A. Lovelace <ada@example.com> (${twin.id})`)
  expect(error).toContain('allow_duplicates')
  await org.patch(`${crmBase}/connections/${connection_id}`, { settings: { allow_duplicates: true } })
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ counts: { created: 1 } })
  expect(espo.all()).toHaveLength(2)
})

test('if EspoCRM refuses a duplicate of a Lead that a late request created, the push updates that Lead', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const contactId = await newContact(org, ada)
  espo.add('Lead', { lastName: 'Lovelace', emailAddress: 'ada@example.com', crosswalkId: contactId })
  const nobody = { on: /^GET .*Lead/, said: { status: 200, body: { total: 0, list: [] } } }
  // Refuse the check of the connection and the search for the person.
  espo.refusals.push(nobody, nobody)
  await pushAndWait(org, { connection_id })
  expect(espo.all()).toMatchObject([{ crosswalkId: contactId, firstName: 'Ada' }])
})

test('if EspoCRM refuses a value, only that person fails', async () => {
  const { org, connection_id } = await server.newOrg()
  const bad = await newContact(org, { ...ada, job_title: 'x'.repeat(101) })
  await newContact(org, { last_name: 'Fine', email: 'fine@example.com' })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'partially_succeeded', counts: { created: 1, failed: 1 } })
  const [item] = await itemsOf(org, job.job_id, '&outcome=failed')
  expect(item).toEqual({
    ...{ contact_id: bad, outcome: 'failed', external_id: null },
    error: {
      code: 'refused',
      message: 'EspoCRM refused this person: title is too long: at most 100 characters (maxLength).',
    },
  })
})

test('if the EspoCRM user may not change a record, only the person of that record fails', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  const contactId = await newContact(org, ada)
  await pushAndWait(org, { connection_id })
  await org.patch(`/contacts/${contactId}`, { city: 'Paris' })
  espo.refusals.push({ on: /^PUT/, said: espoError(403, 'No edit access.') })
  expect(await errorOf(org, connection_id)).toContain('No edit access.')
})

test.each([
  ['no right to create', { on: /^POST/, said: forbidden() }, "No create access for 'Lead'."],
  ['no Lead', { on: /^POST/, said: espoError(404, 'No Lead') }, 'There is no Lead at http://127.0.0.1'],
  ['no API user', { on: /App.user/, said: espoError(404, '') }, 'There is no App/user at http://127.0.0.1'],
  [
    'no access to the metadata',
    { on: /Metadata/, said: forbidden() },
    'EspoCRM refuses Metadata to this API user',
  ],
  [
    'an address that has no EspoCRM API',
    { on: /Metadata/, said: { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } } },
    'is not EspoCRM’s API: check the url',
  ],
  [
    'a redirect',
    { on: /Metadata/, said: { status: 301, body: '', headers: { location: 'https://crm.example.com/' } } },
    'redirects to https://crm.example.com/',
  ],
])('%s ends the job with an error that says what to do', async (_, refusal, words) => {
  const { org, connection_id, espo } = await server.newOrg()
  await newContact(org, ada)
  espo.refusals.push(refusal)
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({ status: 'failed', error: { message: expect.stringContaining(words) } })
})

test('if EspoCRM refuses the API key, the job fails, and the connection needs attention until it gets another key', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  await newContact(org, ada)
  const { api_key } = espo.credentials
  await org.patch(`${crmBase}/connections/${connection_id}`, {
    credentials: { api_key: 'not-the-key-at-all' },
  })
  const job = await pushAndWait(org, { connection_id })
  expect(job).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('refuses the API key') },
  })
  expect(JSON.stringify(job)).not.toContain('not-the-key')
  const needy = await org.get(`${crmBase}/connections/${connection_id}`)
  expect(needy.body.data).toMatchObject({ status: 'needs_attention', error: job.error })
  await org.patch(`${crmBase}/connections/${connection_id}`, { credentials: { api_key } })
  const retried = await org.post(`${crmBase}/jobs/${job.job_id}/retry`)
  expect(await untilJobEnds(org, retried.body.job_id)).toMatchObject({
    status: 'succeeded',
    counts: { created: 1 },
  })
})

test('a connection needs attention until a test or a push works, and not only until EspoCRM answers something', async () => {
  const { org, connection_id, espo } = await server.newOrg()
  await newContact(org, ada)
  const at = `${crmBase}/connections/${connection_id}`
  const status = async () => (await org.get(at)).body.data.status
  const refuseOnce = async () => {
    espo.refusals.push({ on: /App\/user|Metadata/, said: { status: 401, body: '' } })
    expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'failed' })
    expect(await status()).toBe('needs_attention')
  }
  await refuseOnce()
  const away = { status: 301, body: '', headers: { location: 'https://crm.example.com/' } }
  espo.refusals.push({ on: /Metadata/, said: away }, { on: /Metadata/, said: away })
  expect((await org.post(`${at}/test`)).body.data).toMatchObject({ works: false })
  expect(await status()).toBe('needs_attention')
  espo.refusals.length = 0
  expect((await org.post(`${at}/test`)).body.data).toMatchObject({ works: true })
  expect(await status()).toBe('ok')
  await refuseOnce()
  expect(await pushAndWait(org, { connection_id })).toMatchObject({ status: 'succeeded' })
  expect(await status()).toBe('ok')
})
