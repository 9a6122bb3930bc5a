import { existsSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { headOf, memoryGrowth } from '../support/half-sent.ts'
import { cleanUp, startServer } from '../support/processes.ts'
import { exchange, RawConnection } from '../support/raw-http.ts'

const app = await startTestApp()
afterAll(async () => {
  await cleanUp()
  await app.close()
})
const org = await app.newOrg()
const token = app.app.context.orgTokens.make(org.orgId)
const page = '/install-signature'
const offer = '0190a3c4-0000-7000-8000-000000000001'
const megabyte = 1024 * 1024

test.runIf(existsSync('/proc/self/status'))(
  '400 half-sent bodies of 1 MiB from clients without a key use less than 150 MiB of a server',
  async () => {
    const child = startServer({
      DATABASE_URL: app.databaseUrl,
      ENCRYPTION_KEY: testKey.toString('base64'),
      LOG_LEVEL: 'error',
    })
    const [, address] = await child.says(/is ready at (http\S+)/)
    const server = { address: address!, pid: child.process.pid! }
    const half = { count: 200, bytes: megabyte }
    const hooks = memoryGrowth(server, { ...half, head: headOf('/hooks/voice/vapi/x', megabyte) })
    const pages = memoryGrowth(server, { ...half, head: headOf(`${page}/x/${offer}/confirm`, megabyte) })
    expect(Math.max(await hooks, await pages)).toBeLessThan(150)
  },
)

describe('the server does not wait for a body', () => {
  test.each([
    ['of a callback to an unknown org', '/hooks/voice/twilio/x', 1_000, 404],
    ['of a callback of an unknown provider', `/hooks/voice/x/${token}`, 1_000, 404],
    ['of a callback of more than 256 KiB', `/hooks/voice/vapi/${token}`, 256 * 1024 + 1, 413],
    ['of a confirmation for an unknown org', `${page}/x/${offer}/confirm`, 1_000, 404],
    ['of a confirmation of more than 1 KiB', `${page}/${token}/${offer}/confirm`, 1_025, 413],
  ])('the server does not wait for a body %s', async (_what, path, bytes, status) => {
    const connection = new RawConnection(app.address).send(headOf(path, bytes))
    await connection.until(/\r\n\r\n/)
    expect(connection.statuses).toEqual([status])
    connection.socket.destroy()
  })

  test('the server does not wait for a body for longer than 0.5 s after it answered a client without a key', async () => {
    const begun = performance.now()
    await exchange(app.address, headOf('/hooks/voice/twilio/x', 1_000))
    expect(performance.now() - begun).toBeLessThan(15_000)
  })
})
