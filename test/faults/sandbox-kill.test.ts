import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { cleanUp } from '../support/processes.ts'
import { newWorker } from './new-worker.ts'

const app = await startTestApp({ role: 'api' })
afterAll(async () => {
  await cleanUp()
  await app.close()
})

test('after SIGKILL of a worker that deletes a sandbox, another worker deletes the rest, including waiting jobs', async () => {
  const org = await app.newOrg()
  const { data } = (await org.post('/organization/sandboxes', { name: 'Trial' })).body
  const trial = app.client(data.api_key_token)
  const company = await trial.post('/companies', { name: 'Acme' })
  await trial.post('/contacts', { last_name: 'Lovelace', company_id: company.body.data.company_id })
  const connection = await trial.post('/integrations/crm-sync/connections', { provider: 'sandbox' })
  const { connection_id } = connection.body.data
  const jobs = [
    await trial.post('/contacts/imports', { csv: 'email\nada@example.com\n' }),
    await trial.post('/duplicates/scans', { entity_type: 'contact' }),
    await trial.post('/integrations/crm-sync/leads/push', { connection_id }),
  ]
  expect(jobs.map(({ status }) => status)).toEqual([202, 202, 202])
  expect((await org.delete(`/organization/sandboxes/${data.org_id}`)).status).toBe(204)

  const left = async (table: string) => {
    const text = `select count(*)::int as rows from ${table} where org_id = $1`
    return (await runAsOwner<{ rows: number }>(app.databaseUrl, text, [data.org_id]))[0]?.rows
  }
  await withClient(app, async (client) => {
    await client.query('begin')
    await client.query('select from company where org_id = $1 for update', [data.org_id])
    const first = newWorker(app)
    await untilBlocked(client)
    await expect.poll(() => left('contact'), patience).toBe(0)
    expect(await left('company')).toBe(1)
    first.kill('SIGKILL')
    await first.ended
    await client.query('rollback')
  })
  const second = newWorker(app)
  for (const table of ['company', 'import', 'crm_job', 'event', 'api_key', 'org'])
    await expect.poll(() => left(table), patience).toBe(0)
  const failed = `select name from pgboss.job_common where state = 'failed'`
  expect(await runAsOwner(app.databaseUrl, failed)).toEqual([])
  second.kill('SIGTERM')
  expect((await second.ended).code).toBe(0)
})
