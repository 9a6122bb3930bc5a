import { describe, expect, test } from 'vitest'
import { type Adapter, BatchRefused, type CrmPerson } from '../adapters/adapter.ts'
import { sendBatch } from './send-batch.ts'

const person = (key: number): CrmPerson => ({
  ...{ key: String(key), externalId: null, email: null, values: {} },
})

/** Sends people to a CRM that refuses each request with a `bad` person. */
async function send(count: number, bad: (key: number) => boolean) {
  let requests = 0
  const adapter: Pick<Adapter, 'upsert'> = {
    async upsert(_kind, people) {
      requests++
      const refused = people.find(({ key }) => bad(Number(key)))
      if (refused) throw new BatchRefused(`No ${refused.key}`)
      return people.map(({ key }) => ({ outcome: 'created', externalId: `their ${key}` }))
    },
  }
  const people = Array.from({ length: count }, (_, key) => person(key))
  const outcomes = await sendBatch(adapter, 'lead', people, new AbortController().signal)
  const failed = outcomes.flatMap((each, key) =>
    each.outcome === 'failed' ? [{ key, said: each.message }] : [],
  )
  return { requests, outcomes, failed }
}

describe('a batch that the CRM refuses as a whole', () => {
  test.each([
    ['the first person', [0]],
    ['the last person', [199]],
    ['three people', [3, 77, 140]],
    ['four people in a row', [10, 11, 12, 13]],
  ])(
    'if the CRM refuses a whole batch because of %s, only these people fail, each with their own error',
    async (_, bad) => {
      const { requests, outcomes, failed } = await send(200, (key) => bad.includes(key))
      expect(failed).toEqual(bad.map((key) => ({ key, said: `No ${key}` })))
      expect(outcomes).toHaveLength(200)
      expect(requests).toBeLessThan(60)
    },
  )

  test('a batch in which the CRM refuses each person costs fewer than 15 requests', async () => {
    const { requests, failed } = await send(200, () => true)
    expect(failed).toHaveLength(200)
    expect(failed.filter(({ said }) => said.startsWith('No '))).toHaveLength(3)
    expect(failed.at(-1)!.said).toMatch(/^Not tried: the CRM refused too many others .*retry the job$/)
    expect(requests).toBeLessThan(15)
  })

  test('a batch in which the CRM refuses every second person costs at most 81 requests, and each person gets their own error', async () => {
    const { requests, failed } = await send(200, (key) => key % 2 === 0)
    expect(requests).toBeLessThanOrEqual(81)
    for (const { key, said } of failed) expect(said).toMatch(new RegExp(`^(No ${key}$|Not tried)`))
    expect(failed.some(({ said }) => said.startsWith('Not tried'))).toBe(true)
  })

  test('a refused batch of one person gives its error to that person', async () => {
    expect((await send(1, () => true)).failed).toEqual([{ key: 0, said: 'No 0' }])
  })
})
