import { afterAll, expect, test } from 'vitest'
import { system } from '../../src/platform/db/system.ts'
import { reconcileAll } from '../../src/voice/calls/reconcile.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { metricOf } from '../support/metrics.ts'

const app = await startTestApp()
afterAll(() => app.close())

const metric = (name: string) => metricOf(app, name)

/** Polls all calls that are due `ms` from now. */
const reconcileIn = (ms: number) =>
  reconcileAll(system(app.app.context.database), app.app.context, () => Date.now() + ms)

test('metrics count calls by status, by the outcome of the dispatch, and by the result of polling', async () => {
  expect(await metric('crosswalk_calls')).toEqual({})
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123' })
  const place = (to: string) => org.post('/voice/calls', { to_number: to })
  const [ordinary] = [await place('+12025550100'), await place('+12025550110'), await place('+12025550112')]
  await place('+12025550113')
  await place('+12025550113')
  await runAsOwner(
    app.databaseUrl,
    `update call set created_at = created_at - interval '100 seconds' where to_number = '+12025550113' returning 1`,
    [],
  )

  expect(await metric('crosswalk_calls')).toEqual({
    '{provider="simulator",state="queued"}': 1,
    '{provider="simulator",state="unknown"}': 3,
  })
  const oldest = (await metric('crosswalk_call_oldest_unknown_seconds'))['{provider="simulator"}']
  expect(oldest).toBeGreaterThanOrEqual(100)
  expect(oldest).toBeLessThan(200)
  expect(await metric('crosswalk_call_attempts_total')).toEqual({
    '{provider="simulator",outcome="dispatched"}': 1,
    '{provider="simulator",outcome="refused"}': 1,
    '{provider="simulator",outcome="unknown"}': 3,
  })
  expect(await metric('crosswalk_call_provider_seconds_count')).toEqual({
    '{provider="simulator",request="dispatch"}': 5,
  })

  // Let the ringing start again: on a busy machine, part of its two seconds may be over.
  await runAsOwner(app.databaseUrl, 'update simulated_call set dialed_at = clock_timestamp()')
  await reconcileIn(2_000)
  expect(await metric('crosswalk_call_checks_total')).toEqual({
    '{provider="simulator",result="found"}': 1,
    '{provider="simulator",result="absent"}': 2,
  })
  await org.post(`/voice/calls/${ordinary.body.call_id}/cancel`)
  expect(await metric('crosswalk_call_provider_seconds_count')).toEqual({
    '{provider="simulator",request="dispatch"}': 5,
    '{provider="simulator",request="find"}': 3,
    '{provider="simulator",request="cancel"}': 1,
  })
  expect(await metric('crosswalk_calls')).toEqual({ '{provider="simulator",state="ringing"}': 1 })
  expect(await metric('crosswalk_call_oldest_unknown_seconds')).toEqual({})
})

test('metrics count a poll that gets no answer as silent', async () => {
  const org = await app.newOrg()
  await org.post('/voice/numbers', { number: '+14155550123' })
  const { call_id: callId } = (await org.post('/voice/calls', { to_number: '+12025550100' })).body
  await runAsOwner(app.databaseUrl, `update call set provider = 'vapi' where call_id = $1 returning 1`, [
    callId,
  ])
  await reconcileIn(61_000)
  expect(await metric('crosswalk_call_checks_total')).toMatchObject({
    '{provider="vapi",result="silent"}': 1,
  })
})

test('metrics count callbacks by their result, and ignore unknown provider names', async () => {
  const org = await app.newOrg()
  const token = app.app.context.orgTokens.make(org.orgId)
  const hook = (path: string) => app.stranger.post(`/hooks/voice/${path}`, {}, { prefix: '' })
  expect((await hook(`simulator/${token}`)).status).toBe(403)
  expect((await hook('simulator/nobody')).status).toBe(404)
  expect((await hook(`twilio/${token}`)).status).toBe(404)
  expect((await hook(`acme/${token}`)).status).toBe(404)
  expect(await metric('crosswalk_call_callbacks_total')).toEqual({
    '{provider="simulator",result="forged"}': 1,
    '{provider="simulator",result="nowhere"}': 1,
    '{provider="twilio",result="nowhere"}': 1,
  })
})
