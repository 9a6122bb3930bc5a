import { afterAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '../src/platform/db/errors.ts'
import { startTestApp } from './app.ts'
import { askOwner } from './database.ts'

const app = await startTestApp()
afterAll(() => app.close())

// An error that nobody listens for ends the process; here it fails the run.
test.each(['org', 'operator'])(
  'a connection that breaks between two statements of the %s fails its transaction alone',
  async (whose) => {
    const org = await app.newOrg()
    const database = app.app.context.database.org(org.orgId)
    const transact: typeof database.transact = (work) =>
      whose === 'org' ? database.transact(work) : app.operate(work)
    const backend = { text: 'select pg_backend_pid() as pid', values: [] }
    const broken = transact(async (tx) => {
      const pid = (await tx.first<{ pid: number }>(backend))!.pid
      await askOwner(app.databaseUrl, 'select pg_terminate_backend($1)', [pid])
      const alive = () => askOwner(app.databaseUrl, 'select from pg_stat_activity where pid = $1', [pid])
      await expect.poll(alive, { timeout: 5_000 }).toEqual([])
      await tx.rows(backend)
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailable)
    expect((await org.get('/contacts')).status).toBe(200)
  },
)
