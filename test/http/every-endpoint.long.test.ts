import { afterAll, describe, expect, test, vi } from 'vitest'
import { endpoints } from '../../src/api.ts'
import { apiDocument } from '../../src/api-document.ts'
import { eventData } from '../../src/events/samples.ts'
import { setCeilings } from '../../src/orgs/operator.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { toJsonSchema } from '../../src/platform/http/json-schema.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { patience } from '../support/patience.ts'
import { rateLimitHeaders, stableParts } from '../support/stable-parts.ts'
import { call, everyEndpoint } from '../support/walk.ts'
import { walkedOrgs } from '../support/walked-orgs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const { paths } = apiDocument(null)

test('every endpoint that creates a readable object sends the path of the object in Location', () => {
  const readable = new Set(endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const creating = endpoints.filter(({ status }) => status === 201 || status === 202)
  const addressOf = ({ path, response }: Endpoint) => {
    const { properties = {} } = toJsonSchema(response!, 'output')
    return [...readable].find((one) => {
      const [, parent, id] = /^(.*)\/\{(\w+)\}$/.exec(one) ?? []
      return parent !== undefined && path.startsWith(parent) && id! in properties
    })
  }
  for (const endpoint of creating) {
    const { name, location, status } = endpoint
    const address = addressOf(endpoint)
    if (address && status === 201) expect([name, location]).toEqual([name, address])
    if (location) expect([name, readable.has(location)]).toEqual([name, true])
  }
  expect(creating.filter(({ location }) => location).length).toBeGreaterThan(14)
})

describe('the example of each endpoint is accepted, and its answer matches the schema', () => {
  /** An agency with the default rate limits, so that answers show their headers. */
  async function newLimitedAgency(): Promise<TestOrg> {
    const org = await app.newAgency()
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 1000, perMinute: 5000 }))
    return org
  }
  const walked = walkedOrgs(async () => {
    const org = await newLimitedAgency()
    await fill(org)
    return org
  })

  test.each(everyEndpoint)('%s gets an answer that fits its documentation', async (_name, endpoint) => {
    const { org, params } = await walked(endpoint)
    const headers = { 'x-request-id': 'walk:1' }
    const answer = await call(endpoint, org, params, { headers })
    const { responses } = paths[endpoint.path]![endpoint.method.toLowerCase()]!
    const documented = Object.keys(responses as object).filter((status) => status < '300')
    expect(documented, answer.text).toContain(String(answer.status))
    expect(answer.headers.get('x-request-id')).toBe('walk:1')
    for (const header of rateLimitHeaders) expect(answer.headers.get(header), header).not.toBeNull()
    expect(answer.headers.get('retry-after')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).toBe(
      endpoint.shape === 'none'
        ? null
        : endpoint.shape === 'file'
          ? 'text/csv; charset=utf-8'
          : 'application/json; charset=utf-8',
    )
    const { location } = endpoint
    if (location === undefined) return expect(answer.headers.get('location')).toBeNull()
    const created = Object.entries(endpoint.shape === 'data' ? answer.body.data : answer.body)
    const place = location.replaceAll(/\{(\w+)\}/g, (_, name) => `${Object.fromEntries(created)[name]}`)
    expect(answer.headers.get('location')).toBe(`/api/v1${place}`)
    expect((await org.get(place)).status).toBe(200)
  })

  test.each(everyEndpoint.filter(([, { method }]) => method === 'GET'))(
    '%s: HEAD gets the status and the headers of GET, without a body',
    async (_name, endpoint) => {
      const { org, params } = await walked(endpoint)
      // Retry, because background work may change an object between the two requests.
      await vi.waitFor(async () => {
        const got = await call(endpoint, org, params)
        const head = await call({ ...endpoint, method: 'HEAD' } as never, org, params)
        expect(stableParts(head)).toEqual({ ...(stableParts(got) as object), text: '' })
      }, patience)
    },
  )

  /** Creates records with all fields and with few fields, for the lists. */
  async function fill(org: TestOrg): Promise<void> {
    const common = {
      city: 'Köln',
      region: 'NRW',
      country: 'Germany',
      linkedin_url: 'https://linkedin.example/x',
      tags: ['vip'],
      custom: { deep: [{ n: 1.5 }, null, 'x'] },
      external_ids: { crm: '1' },
      source: 'walk',
    }
    const company = await org.post('/companies', {
      ...{ name: 'Whole', domain: 'whole.example', domains: ['w.example'], phone: '+14155550101' },
      ...{ website: 'https://whole.example', industry: 'Toys', employee_count: 3, ...common },
    })
    const contacts = [
      {
        ...{
          email: 'whole@example.com',
          emails: ['w2@example.com'],
          phone: '+14155550102',
          first_name: 'Whole',
        },
        ...{ phones: ['+14155550103'], last_name: 'Person', company_id: company.body.data.company_id },
        ...{
          company_name: 'Whole',
          job_title: 'CEO',
          lifecycle_stage: 'lead',
          consent: { email: 'granted' },
          consent_details: { email: { kind: 'written', source: 'form', at: 1 } },
        },
        ...common,
      },
      { last_name: 'Sparse' },
    ]
    const batches = [
      await org.post('/contacts/batch', { items: [...contacts, {}] }),
      await org.post('/companies/batch', { items: [{ name: 'Sparse' }, {}] }),
    ]
    const outcomes = batches.flatMap(({ body }) => body.data.map((item: { outcome: string }) => item.outcome))
    expect(outcomes).toEqual(['created', 'created', 'failed', 'created', 'failed'])
    const deals: { name: string; tags?: string[] }[] = [
      {
        ...{ name: 'Whole', amount_cents: 2 ** 53 - 1, currency: 'EUR', stage: 'Proposal', tags: ['vip'] },
        ...{ company_id: company.body.data.company_id, contact_ids: [batches[0]!.body.data[0].contact_id] },
        ...{
          owner_email: 'o@example.com',
          expected_close_on: '2026-12-31',
          probability: 40,
          custom: { n: 1.5 },
          external_ids: { crm: '1' },
          source: 'walk',
        },
      },
      { name: 'Sparse' },
    ]
    for (const fields of deals) {
      const { body } = await org.post('/deals', fields)
      if (!fields.tags) continue
      const reasons = (await org.get('/deals/close-reasons?outcome=won')).body.data.close_reasons
      const close_reason_id = reasons[0].close_reason_id
      await org.post(`/deals/${body.data.deal_id}/close`, { status: 'won', close_reason_id })
    }
  }
})

test('the events of all example requests contain only data that the event catalog lists', async () => {
  const written = await app.operate((tx) =>
    tx.rows<{ type: string; name: string }>({
      text: 'select distinct type, jsonb_object_keys(data) as name from event where data is not null',
      values: [],
    }),
  )
  expect(written.length).toBeGreaterThan(20)
  expect(written.filter(({ type, name }) => !eventData.get(type)?.includes(name))).toEqual([])
})
