import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'
import { eventsOf, newDeal, reasonFor } from '../support/deals.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

describe('close and reopen', () => {
  test('closing and reopening move a deal between open, won and lost', async () => {
    const org = await app.newOrg()
    const { id, path, deal } = await newDeal(org)
    const reason = await reasonFor(org, 'lost')
    const closed = await org.post(`${path}/close`, { status: 'lost', close_reason_id: reason })
    expect(closed.body.data).toMatchObject({
      status: 'lost',
      close_reason_id: reason,
      stage: 'New',
      version: 2,
    })
    expect(closed.body.data.closed_at).toBeGreaterThanOrEqual(deal.created_at)
    expect(closed.headers.get('etag')).toBe('"2"')
    expect((await org.post(`${path}/close`, { status: 'lost' })).body.data).toEqual(closed.body.data)
    const won = await org.post(`${path}/close`, { status: 'won' })
    expect([won.status, won.body.detail]).toEqual([409, expect.stringMatching(/already lost.*reopen/)])
    const other = await reasonFor(org, 'any')
    const corrected = await org.post(`${path}/close`, { status: 'lost', close_reason_id: other })
    expect(corrected.body.data).toMatchObject({
      ...{ close_reason_id: other, closed_at: closed.body.data.closed_at, version: 3 },
    })
    const cleared = await org.post(`${path}/close`, { status: 'lost', close_reason_id: null })
    expect(cleared.body.data).toMatchObject({ close_reason_id: null, status: 'lost', version: 4 })
    const reopened = await org.post(`${path}/reopen`)
    expect(reopened.body.data).toMatchObject({
      status: 'open',
      close_reason_id: null,
      closed_at: null,
      version: 5,
    })
    expect((await org.post(`${path}/reopen`)).body.data).toEqual(reopened.body.data)
    expect((await org.post(`${path}/close`, { status: 'won' })).body.data.status).toBe('won')
    expect(await eventsOf(org, id)).toEqual([
      'deal.created',
      'deal.closed status close_reason_id closed_at',
      'deal.updated close_reason_id',
      'deal.updated close_reason_id',
      'deal.reopened status closed_at',
      'deal.closed status closed_at',
    ])
  })

  test('closing a deal refuses a close reason that is archived, for the other outcome, or missing', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const { path } = await newDeal(org)
    const [won, lost] = [await reasonFor(org, 'won'), await reasonFor(org, 'lost')]
    const close = (body: object) => org.post(`${path}/close`, body)
    expect(await close({ status: 'lost', close_reason_id: won })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/close_reason_id.*for won deals/) },
    })
    expect((await close({ status: 'won', close_reason_id: lost })).status).toBe(400)
    for (const id of [await reasonFor(other, 'won'), randomUUID()])
      expect(await close({ status: 'won', close_reason_id: id })).toMatchObject({
        status: 404,
        body: { detail: expect.stringMatching(`close_reason_id.*${id}`) },
      })
    await close({ status: 'lost', close_reason_id: lost })
    await org.post(`/deals/close-reasons/${lost}/archive`)
    expect((await org.get(path)).body.data.close_reason_id).toBe(lost)
    expect((await close({ status: 'lost', close_reason_id: lost })).status).toBe(200)
    const second = await newDeal(org)
    expect(await org.post(`${second.path}/close`, { status: 'lost', close_reason_id: lost })).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/close_reason_id.*archived/) },
    })
    for (const body of [{}, { status: 'open' }, { status: null }])
      expect((await close(body)).body.detail[0].loc).toEqual(['body', 'status'])
  })
})
