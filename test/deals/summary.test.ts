import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { TotalsFolder } from '../../src/platform/db/fold-totals.ts'
import { system } from '../../src/platform/db/system.ts'
import { recordTotals } from '../../src/records/totals.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const scope = system(app.app.context.database)
const fold = () => new TotalsFolder(scope, recordTotals).fold()

type Deal = {
  deal_id: string
  status: 'open' | 'won' | 'lost'
  stage: string
  currency: string | null
  amount_cents: number | null
  close_reason_id: string | null
  closed_at: number | null
}
type Value = { currency: string | null; deals: number; amount_cents: string }

const summary = async (org: TestOrg, query = '') => {
  const { status, body, text } = await org.get(`/deals/summary${query}`)
  expect(status, text).toBe(200)
  return body.data
}

async function everyDeal(org: TestOrg): Promise<Deal[]> {
  const deals: Deal[] = []
  let cursor = ''
  do {
    const { data, pagination } = (await org.get(`/deals?limit=100${cursor}`)).body
    deals.push(...data)
    cursor = pagination.next_cursor ? `&cursor=${pagination.next_cursor}` : ''
  } while (cursor)
  return deals
}

/** Counts and sums by currency, adding one deal after another. */
function valuesOf(deals: readonly Deal[]): Value[] {
  const byCurrency = Map.groupBy(deals, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, each]) => ({
      currency,
      deals: each.length,
      amount_cents: String(each.reduce((sum, { amount_cents }) => sum + BigInt(amount_cents ?? 0), 0n)),
    }))
    .sort((a, b) => ((a.currency ?? '~') < (b.currency ?? '~') ? -1 : 1))
}

const ended = (deals: readonly Deal[]) => ({
  won: valuesOf(deals.filter(({ status }) => status === 'won')),
  lost: valuesOf(deals.filter(({ status }) => status === 'lost')),
})
const monthOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 7)

async function proveExact(org: TestOrg, query = ''): Promise<void> {
  const [shown, deals] = [await summary(org, query), await everyDeal(org)]
  const stages: string[] = (await org.get('/deals/stages')).body.data.stages
  const open = deals.filter(({ status }) => status === 'open')
  expect(shown.open).toEqual(
    stages.map((stage) => ({ stage, values: valuesOf(open.filter((deal) => deal.stage === stage)) })),
  )
  const closed = deals.filter(({ closed_at }) => {
    const month = closed_at === null ? '' : monthOf(closed_at)
    return month >= shown.from && month <= shown.to
  })
  for (const { month, ...values } of shown.months)
    expect([month, values]).toEqual([
      month,
      ended(closed.filter(({ closed_at }) => monthOf(closed_at!) === month)),
    ])
  const byReason = Map.groupBy(closed, ({ close_reason_id }) => close_reason_id)
  expect(shown.close_reasons).toHaveLength(byReason.size)
  for (const { close_reason_id, label: _, ...values } of shown.close_reasons)
    expect(values).toEqual(ended(byReason.get(close_reason_id) ?? []))
}

const step = fc.record({
  act: fc.constantFrom(
    'create',
    'create',
    'batch',
    'change',
    'close',
    'reopen',
    'archive',
    'restore',
    'erase',
  ),
  pick: fc.nat(20),
  stage: fc.constantFrom('New', 'Qualified', 'Proposal'),
  status: fc.constantFrom('won', 'lost'),
  money: fc.constantFrom<object>(
    {},
    { amount_cents: 100, currency: 'USD' },
    { amount_cents: 2 ** 53 - 1, currency: 'USD' },
    { amount_cents: 0, currency: 'EUR' },
    { amount_cents: null, currency: null },
    { currency: 'EUR' },
  ),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

async function take(org: TestOrg, mine: string[], reasonId: string, each: Step): Promise<void> {
  const { act, pick, stage, status, money } = each
  const path = `/deals/${mine[pick % Math.max(mine.length, 1)]}`
  const fields = { name: 'D', stage, ...money }
  if (act === 'create') mine.push((await org.post('/deals', fields)).body.data.deal_id)
  else if (act === 'batch') {
    const { data } = (await org.post('/deals/batch', { items: [fields, { name: 'E' }, {}] })).body
    for (const { deal_id } of data) if (deal_id) mine.push(deal_id)
  } else if (mine.length === 0) return
  else if (act === 'change') await org.patch(path, { ...fields, name: `D${pick}` })
  else if (act === 'close') {
    const reason = pick % 2 ? { close_reason_id: reasonId } : {}
    await org.post(`${path}/close`, { status, ...reason })
  } else if (act === 'archive') await org.delete(path)
  else await org.post(`${path}/${act}`)
}

test('after concurrent writes, the summary equals the sum of the deals, before and after totals are folded', async () => {
  const writer = fc.array(step, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(writer, { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      async (writers, folding) => {
        const org = await app.newOrg()
        const reasons = (await org.get('/deals/close-reasons?outcome=any')).body.data.close_reasons
        let writing = true
        const folder = (async () => {
          while (folding && writing) await Promise.all([fold(), fold()])
        })()
        await Promise.all(
          writers.map(async (steps) => {
            const mine: string[] = []
            for (const each of steps) await take(org, mine, reasons[0].close_reason_id, each)
          }),
        )
        writing = false
        await folder
        await proveExact(org)
        await fold()
        await proveExact(org)
      },
    ),
    { numRuns: runs(3, 15) },
  )
})

test('sums are exact beyond 2^53 and beyond 2^63, as decimal digits', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 500 }, () => ({ name: 'D', amount_cents: 2 ** 53 - 1, currency: 'JPY' }))
  for (let lot = 1; lot <= 3; lot++) {
    await org.post('/deals/batch', { items })
    const [{ values }] = (await summary(org)).open
    expect(values).toEqual([
      { currency: 'JPY', deals: 500 * lot, amount_cents: String((2n ** 53n - 1n) * 500n * BigInt(lot)) },
    ])
    await fold()
  }
  expect(1500n * (2n ** 53n - 1n)).toBeGreaterThan(2n ** 63n)
})

describe('months', () => {
  test('by default, the summary has twelve months up to the current month, including months without closed deals', async () => {
    const org = await app.newOrg()
    const { months, from, to } = await summary(org)
    expect([months.length, months[0].month, months[11].month]).toEqual([12, from, to])
    expect(to).toBe(new Date().toISOString().slice(0, 7))
    expect(months.every((month: object) => JSON.stringify(month).endsWith('"won":[],"lost":[]}'))).toBe(true)
  })

  test('with `from` and `to`, the summary has the months in UTC in which the deals were closed', async () => {
    const org = await app.newOrg()
    const times = [
      '2024-12-31T23:59:59Z',
      '2025-01-01T00:00:00Z',
      '2025-02-28T23:59:59Z',
      '2025-03-01T00:00:00Z',
    ]
    for (const at of times) {
      const { deal_id } = (await org.post('/deals', { name: 'D', amount_cents: 5, currency: 'USD' })).body
        .data
      await org.post(`/deals/${deal_id}/close`, { status: 'won' })
      await withClient(app, async (client) => {
        await client.query(`set timezone = 'Asia/Tokyo'`)
        await client.query('update deal set closed_at = $2 where deal_id = $1', [deal_id, at])
      })
    }
    const { months, close_reasons } = await summary(org, '?from=2025-01&to=2025-02')
    const one = [{ currency: 'USD', deals: 1, amount_cents: '5' }]
    expect(months).toEqual([
      { month: '2025-01', won: one, lost: [] },
      { month: '2025-02', won: one, lost: [] },
    ])
    expect(close_reasons).toEqual([
      {
        close_reason_id: null,
        label: null,
        won: [{ currency: 'USD', deals: 2, amount_cents: '10' }],
        lost: [],
      },
    ])
    await proveExact(org, '?from=2024-01&to=2025-12')
    expect((await summary(org, '?to=2025-03')).from).toBe('2024-04')
  })

  test.each([
    ['?from=2025-13', 'from'],
    ['?to=2025-1', 'to'],
    ['?from=2025-02&to=2025-01', 'from'],
    ['?from=2015-01&to=2025-01', 'from'],
    ['?from=0000-01&to=9999-12', 'from'],
  ])('the months of the summary cannot be %s', async (query, name) => {
    const org = await app.newOrg()
    const { status, body } = await org.get(`/deals/summary${query}`)
    expect([status, body.detail[0]?.loc]).toEqual([422, ['query', name]])
  })
})

test('the summary lists close reasons in their order, archived ones included', async () => {
  const org = await app.newOrg()
  const reasons = (await org.get('/deals/close-reasons')).body.data.close_reasons
  const close = async (close_reason_id: string, status: string) => {
    const { deal_id } = (await org.post('/deals', { name: 'D' })).body.data
    await org.post(`/deals/${deal_id}/close`, { status, close_reason_id })
  }
  await close(reasons[9].close_reason_id, 'lost')
  await close(reasons[3].close_reason_id, 'lost')
  await close(reasons[0].close_reason_id, 'won')
  await org.post(`/deals/close-reasons/${reasons[0].close_reason_id}/archive`)
  const shown = (await summary(org)).close_reasons
  expect(shown.map(({ label }: { label: string }) => label)).toEqual(['Price too high', 'Other', 'Good fit'])
})
