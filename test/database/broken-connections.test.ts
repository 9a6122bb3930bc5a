import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'

import { endpoints } from '../../src/api.ts'
import { DatabaseUnavailable } from '../../src/platform/db/errors.ts'
import type { Tx } from '../../src/platform/db/tx.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'

const logged: string[] = []
const app = await startTestApp({}, undefined, pino({}, { write: (line: string) => logged.push(line) }))
afterAll(() => app.close())

// Node ends a process if a connection emits an error that no listener handles. The test run would fail.
test.each(['org', 'operator'])(
  'a connection that breaks between two statements of the %s fails only its own transaction',
  async (whose) => {
    const org = await app.newOrg()
    const database = app.app.context.database.org(org.orgId)
    const transact = <Result>(work: (tx: Tx) => Promise<Result>) =>
      whose === 'org' ? database.transact(work) : app.operate(work)
    const backend = { text: 'select pg_backend_pid() as pid', values: [] }
    const broken = transact(async (tx) => {
      const pid = (await tx.first<{ pid: number }>(backend))!.pid
      await runAsOwner(app.databaseUrl, 'select pg_terminate_backend($1)', [pid])
      const alive = () => runAsOwner(app.databaseUrl, 'select from pg_stat_activity where pid = $1', [pid])
      await expect.poll(alive, patience).toEqual([])
      await tx.rows(backend)
    })
    await expect(broken).rejects.toThrow(DatabaseUnavailable)
    expect((await org.get('/contacts')).status).toBe(200)
  },
)

test.each([
  ['locks', 'select from contact for update'],
  ['writes', "update contact set city = 'x'"],
])(
  'an endpoint that %s in a read-only transaction answers 500 and logs an error, because a retry would not help',
  async (_does, text) => {
    const org = await app.newOrg()
    const endpoint = endpoints.find(({ name }) => name === 'get_organization')!
    const spy = vi.spyOn(endpoint, 'handle')
    spy.mockImplementation(({ org }) => org.read((tx) => tx.run({ text, values: [] })))
    const answer = await org.get('/organization').finally(() => spy.mockRestore())
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null])
    expect(answer.text).not.toMatch(/read-only|transaction|select|update/)
    const id = answer.headers.get('x-request-id')
    const lines = logged.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === id)
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'a request failed', err: expect.anything() }))
    expect((await org.get('/organization')).status).toBe(200)
  },
)
