import { afterAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { connect, jobOf, people, push, pushAndWait, retryNow, untilJobEnds } from '../support/crm-sync/crm.ts'
import { metricOf } from '../support/metrics.ts'
import { patience } from '../support/patience.ts'
import { EspoStandIn } from '../support/stand-ins/espocrm.ts'

const app = await startTestApp({ outboundAllowPrivate: true })
const espo = await EspoStandIn.start()
afterAll(() => Promise.all([app.close(), espo.server.close()]))

const metric = (name: string) => metricOf(app, name)
const answers = 'crosswalk_crm_answer_seconds_count'

test('/metrics, the queue and the job show that a CRM is down, and later that the CRM is up again', async () => {
  const org = await app.newOrg()
  const connection_id = await connect(org, { provider: 'espocrm', credentials: espo.credentials })
  await people(org, 2)
  espo.refusals.push({ on: /^POST/, said: { status: 503, body: '', headers: { 'retry-after': '600' } } })
  const jobId = await push(org, { connection_id })
  await vi.waitFor(
    async () =>
      expect((await jobOf(org, jobId)).error?.message).toMatch(/the push tries again automatically/),
    patience,
  )

  expect(await metric(answers)).toMatchObject({
    '{provider="espocrm",request="push",outcome="unavailable"}': 1,
  })
  expect(await metric('crosswalk_jobs')).toMatchObject({ '{job="crm_push",state="queued"}': 1 })
  expect(await metric('crosswalk_jobs_oldest_queued_seconds')).toMatchObject({ '{job="crm_push"}': 0 })

  await retryNow(app, jobId)
  expect(await untilJobEnds(org, jobId)).toMatchObject({ status: 'succeeded' })
  expect(await metric(answers)).toMatchObject({
    '{provider="espocrm",request="push",outcome="done"}': expect.any(Number),
    '{provider="espocrm",request="describe",outcome="done"}': expect.any(Number),
  })
  expect(await metric('crosswalk_jobs')).toMatchObject({ '{job="crm_push",state="queued"}': 0 })
})

test('metrics count the outcomes of batches and of signature installs', async () => {
  const org = await app.newOrg()
  await people(org, 1)
  await pushAndWait(org, { connection_id: await connect(org) })
  expect(await metric(answers)).toMatchObject({
    '{provider="sandbox",request="push",outcome="done"}': 1,
  })

  const { template_id } = (
    await org.post('/signatures/templates', { name: 'Plain', html: '<p>{{ email }}</p>' })
  ).body.data
  const mailbox = { email: 'ada@example.com', template_id }
  const { mailbox_id, version } = (await org.post('/signatures/mailboxes', mailbox)).body.data
  await org.post(`/signatures/mailboxes/${mailbox_id}/push`, { version })
  await vi.waitFor(
    async () =>
      expect(await metric('crosswalk_signature_installs_total')).toEqual({
        '{provider="sandbox",outcome="installed"}': 1,
      }),
    patience,
  )
})
