import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connectionConfig } from '../../src/platform/db/address.ts'
import { installJobs } from '../../src/platform/jobs/engine/install.ts'
import { job } from '../../src/platform/jobs/job.ts'
import { startTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { untilBlocked, withClient } from '../support/direct-sql.ts'
import { patience } from '../support/patience.ts'
import { RawConnection } from '../support/raw-http.ts'

describe('Crosswalk.close', () => {
  let app: TestApp
  let org: TestOrg
  let contactId: string
  let operator: Client

  beforeEach(async () => {
    app = await startTestApp()
    org = await app.newOrg()
    contactId = (await org.post('/contacts', { first_name: 'Ada' })).body.data.contact_id
    operator = new Client({ connectionString: app.databaseUrl })
    await operator.connect()
    await operator.query('begin')
  })
  afterEach(async () => {
    await operator.end()
    await app.close()
  })

  const send = (connection: RawConnection, method: string, path: string, body = '') =>
    connection.send(
      `${method} /v1${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${org.token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )

  /** A request that waits for a lock in the database. */
  async function slowRequest(): Promise<RawConnection> {
    await operator.query('select from contact where contact_id = $1 for update', [contactId])
    const slow = send(new RawConnection(app.address), 'PATCH', `/contacts/${contactId}`, '{"city":"Rome"}')
    await untilBlocked(operator)
    return slow
  }

  test('close finishes running requests, refuses new ones, and does not wait for idle connections', async () => {
    const idle = send(new RawConnection(app.address), 'GET', '/organization')
    await idle.until(/\}$/)
    const unused = new RawConnection(app.address)
    await new Promise<void>((resolve) => unused.socket.once('connect', resolve))
    const slow = await slowRequest()
    const startedAt = performance.now()
    const closed = app.app.close()
    await Promise.all([idle.closed, unused.closed])
    // Send one request on the busy connection, and one on a new connection.
    send(slow, 'GET', '/organization')
    const late = new RawConnection(app.address)
    await late.closed
    expect(late.text).toBe('')
    await operator.query('commit')
    await slow.closed
    expect(slow.statuses).toEqual([200, 503])
    const [first, second] = slow.text.split(/(?=HTTP\/1\.1 503)/)
    expect(first).toContain('"city":"Rome"')
    expect(second).toMatch(/^connection: close\r$/im)
    expect(second).toMatch(/^retry-after: 1\r$/im)
    expect(second).toContain('{"detail":"This server is stopping')
    await closed
    expect(performance.now() - startedAt).toBeLessThan(3_500)
  })

  test('close does not wait for the connection of a request that is answered', async () => {
    const slow = await slowRequest()
    const startedAt = performance.now()
    const closed = app.app.close()
    await operator.query('commit')
    await Promise.all([slow.closed, closed])
    expect(slow.statuses).toEqual([200])
    expect(performance.now() - startedAt).toBeLessThan(3_500)
  })

  test('close aborts requests and jobs that do not end, and takes less than 10 seconds', async () => {
    const deaf = job({
      name: 'test_deaf',
      payload: z.object({ org_id: z.string() }),
      orgId: ({ org_id }) => org_id,
      run: () => new Promise(() => {}),
    })
    await withClient(app, (owner) => installJobs(owner, connectionConfig(app.databaseUrl), [deaf]))
    const { context, worker } = app.app
    await worker?.work([deaf], context)
    await app.operate((tx) => context.jobs.enqueue(tx, deaf, { org_id: org.orgId }))
    const stateOfJob = async () =>
      (await runAsOwner(app.databaseUrl, `select state::text from pgboss.job where name = 'test_deaf'`))[0]
    await expect.poll(stateOfJob, patience).toEqual({ state: 'active' })
    const slow = await slowRequest()
    const dribbling = new RawConnection(app.address).send(
      `POST /v1/contacts/imports HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${org.token}\r\n` +
        'Content-Type: text/csv\r\nContent-Length: 1000\r\n\r\nemail\n',
    )
    const startedAt = performance.now()
    await app.app.close()
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    expect(await stateOfJob()).toEqual({ state: 'retry' })
    await runAsOwner(app.databaseUrl, `delete from pgboss.job where name = 'test_deaf'`)
    await Promise.all([slow.closed, dribbling.closed])
    expect(slow.statuses).toEqual([])
    const { rows } = await operator.query('select city from contact where contact_id = $1', [contactId])
    expect(rows).toEqual([{ city: null }])
  })
})
