import { expect, test } from 'vitest'
import type { JobClaim } from './engine/claims.ts'
import { Slots } from './slots.ts'

const claimOf = (payer: string): JobClaim => ({
  ...{ id: '', name: 'deliver', data: {}, lane: payer, payer },
  ...{ serial: false, retryCount: 0, claimedAt: '' },
})

test('jobs of one payer that wait for other systems leave room for jobs of other payers', () => {
  const slots = new Slots()
  const leave = (payer: string) => slots.leave(claimOf(payer))
  let left = 0
  while (leave('busy')) left++
  expect(left).toBe(128)
  expect(leave('neighbor')).toBe(true)
  slots.comeBack(claimOf('neighbor'))
  slots.comeBack(claimOf('busy'))
  expect([leave('busy'), leave('busy')]).toEqual([true, false])
})
