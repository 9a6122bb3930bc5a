import { expect, test } from 'vitest'
import { beginExport } from './turns.ts'

test('a process runs at most four exports at a time, and at most one for each owner', () => {
  const ends = ['a', 'b', 'c', 'd'].map(beginExport)
  for (const owner of ['a', 'e'])
    expect(() => beginExport(owner)).toThrow(expect.objectContaining({ code: 'export_limit_reached' }))
  ends[1]?.()
  expect(() => beginExport('a')).toThrow('An export of this organization runs already')
  const last = beginExport('e')
  expect(() => beginExport('b')).toThrow('4 exports run already in this process')
  for (const end of [...ends, last]) end()
})
