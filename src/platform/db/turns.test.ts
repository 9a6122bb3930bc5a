import { expect, test } from 'vitest'
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
