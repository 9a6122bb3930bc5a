import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { RawConnection, rawRequest } from '../support/raw-http.ts'
import { expectWithin } from '../support/within.ts'

const app = await startTestApp()
afterAll(() => app.close())

test('only the organization that does not read its answers gets 503 once 32 MiB wait for it', async () => {
  const [unreading, other] = [await app.newOrg(), await app.newOrg()]
  const items = Array.from({ length: 100 }, () => ({ last_name: 'n', custom: { text: 'x'.repeat(60_000) } }))
  expect((await unreading.post('/contacts/batch', { items })).status).toBe(200)
  const connections = Array.from({ length: 8 }, () => {
    const connection = new RawConnection(app.address)
    connection.socket.pause()
    return connection.send(rawRequest(unreading.token, 'GET', '/contacts?limit=100'))
  })
  const status = async () => (await unreading.get('/organization')).status
  await expectWithin(20_000, status, 503)
  expect((await other.get('/organization')).status).toBe(200)
  for (const { socket } of connections) socket.destroy()
  await expectWithin(5_000, status, 200)
})
