import { expect, test } from 'vitest'
import { awakeMs } from '../busy-thread.ts'
import { recentRequests } from '../recent-requests.ts'
import { Turns } from './turns.ts'

const payers = ['a', 'a', 'a', 'a:members', 'a:members', 'b']

function begin(servesOthers: boolean) {
  const turns = new Turns({ servesOthers: () => servesOthers })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const done = payers.map((payer) =>
    turns.run(payer, () => {
      begun.push(payer)
      return new Promise<void>((end) => ends.push(end))
    }),
  )
  return { begun, ends, done }
}

test('while others are served, keys and members of an organization take turns', async () => {
  const { begun, ends, done } = begin(true)
  expect(begun).toEqual(['a', 'b'])
  for (let next = 0; next < payers.length; next++) {
    await expect.poll(() => ends.length).toBeGreaterThan(next)
    ends[next]!()
  }
  await Promise.all(done)
  expect(begun.filter((payer) => payer !== 'b')).toEqual(['a', 'a:members', 'a', 'a:members', 'a'])
})

test('the work of an organization that is served alone does not wait', async () => {
  const { begun, ends, done } = begin(false)
  expect(begun).toEqual(payers)
  for (const end of ends) end()
  await Promise.all(done)
})

test('the work of an organization takes turns although others sent no request for 30 s', async () => {
  recentRequests.note({ payerId: 'b', orgId: 'b' }, awakeMs() - 30_000)
  const turns = new Turns()
  const ends: (() => void)[] = []
  const done = [1, 2].map(() => turns.run('a', () => new Promise<void>((end) => ends.push(end))))
  expect(ends.length).toBe(1)
  ends[0]!()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]!()
  await Promise.all(done)
})
