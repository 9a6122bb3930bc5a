import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/command.ts'
import { webhookCommands } from '../../src/cli/webhooks.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { testKey } from '../support/database.ts'
import { metricOf } from '../support/metrics.ts'
import { patience } from '../support/patience.ts'

const app = await startTestApp()
let org: TestOrg
let endpointId: string

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', app.databaseUrl)
  vi.stubEnv('ENCRYPTION_KEY', testKey.toString('base64'))
  vi.stubEnv('LOG_LEVEL', 'silent')
  org = await app.newOrg()
  const body = { url: 'https://receiver.invalid/', types: ['suppression.deleted'] }
  endpointId = (await org.post('/webhooks/endpoints', body)).body.data.endpoint_id
})
afterAll(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await app.close()
})

async function run(name: string, ...args: string[]): Promise<string> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const command = webhookCommands.find((each) => each.name === name)!
  try {
    await runCommand(command, args)
    return written.mock.calls.map(([line]) => String(line)).join('')
  } finally {
    written.mockRestore()
  }
}

test('webhooks list shows the endpoints of all organizations, or of one status', async () => {
  const { endpoints } = JSON.parse(await run('webhooks list', '--json'))
  expect(endpoints).toMatchObject([
    { endpoint_id: endpointId, org_id: org.orgId, status: 'enabled', failures: 0, waiting_retries: 0 },
  ])
  expect(await run('webhooks list')).toContain('https://receiver.invalid/')
  expect(await run('webhooks list', '--status', 'failing')).toBe('There is no such webhook endpoint.\n')
  await expect(run('webhooks list', '--status', 'broken')).rejects.toThrow(
    '--status must be enabled, failing or disabled.',
  )
})

test('webhooks list says why an endpoint is disabled', async () => {
  const other = await app.newOrg()
  const body = { url: 'https://other.invalid/', types: ['suppression.deleted'] }
  const { endpoint_id: id } = (await other.post('/webhooks/endpoints', body)).body.data
  await other.post(`/webhooks/endpoints/${id}/disable`)
  const { endpoints } = JSON.parse(await run('webhooks list', '--org', other.orgId, '--json'))
  expect(endpoints).toMatchObject([{ status: 'disabled', disabled_reason: 'by_request' }])
  expect(await run('webhooks list', '--status', 'disabled')).toContain('disabled (by_request)')
  await other.delete(`/webhooks/endpoints/${id}`)
})

test('webhooks replay begins a replay, and its error for a wrong id or time says what is wrong', async () => {
  const { replay_id: id } = JSON.parse(
    await run('webhooks replay', endpointId, '--from', '2026-11-22T10:00:00Z', '--json'),
  )
  await vi.waitFor(
    async () => expect((await org.get(`/webhooks/replays/${id}`)).body.data.status).toBe('finished'),
    patience,
  )
  const nobody = '0190a3c4-7b1e-7c3a-9d2f-5f0c1e2d3b4a'
  await expect(run('webhooks replay', nobody, '--from', '2026-11-22')).rejects.toThrow(
    'No webhook endpoint has the id',
  )
  await expect(run('webhooks replay', endpointId, '--from', 'yesterday')).rejects.toThrow(
    '--from must be a time such as',
  )
  await expect(run('webhooks replay', endpointId)).rejects.toThrow(
    '--from is missing: a time such as 2026-11-22T10:00:00Z.\n',
  )
})

test('the metrics count webhook endpoints by status, and show the lag', async () => {
  const byStatus = await metricOf(app, 'crosswalk_webhook_endpoints')
  expect(byStatus).toEqual({ '{status="enabled"}': 1, '{status="failing"}': 0, '{status="disabled"}': 0 })
  expect(Object.values(await metricOf(app, 'crosswalk_webhook_lag_seconds'))[0]).toBeGreaterThanOrEqual(0)
})
