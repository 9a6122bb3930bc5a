import { afterAll, describe, expect, test } from 'vitest'
import { startNameServer } from '../../../test/support/name-server.ts'
import { resolvePublic } from './resolve.ts'

const never = new AbortController().signal
const records: Record<string, Record<string, Buffer>> = {
  'both.example': { A: Buffer.from([1, 1, 1, 1]), AAAA: Buffer.from(`2606${'0'.repeat(27)}1`, 'hex') },
  'old.example': { A: Buffer.from([1, 0, 0, 1]) },
}
const server = await startNameServer((name, type) => {
  if (name.startsWith('silent')) return 'silent'
  const known = records[name]
  return known ? (known[type] ?? null) : 'unknown'
})
afterAll(() => server.close())
const resolve = resolvePublic([server.address])

describe('resolvePublic', () => {
  test('a lookup finds the addresses of both families', async () => {
    expect(await resolve('both.example', never)).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606::1', family: 6 },
    ])
    expect(await resolve('old.example', never)).toEqual([{ address: '1.0.0.1', family: 4 }])
  })

  test('a lookup reports an unknown name', async () => {
    await expect(resolve('none.example', never)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('a lookup succeeds while 100 others get no answer, and the others end when their signal aborts', async () => {
    const gone = new AbortController()
    const silent = Array.from({ length: 100 }, (_, at) => resolve(`silent${at}.example`, gone.signal))
    let ended = 0
    for (const each of silent)
      each.catch(() => {
        ended += 1
      })
    expect(await resolve('both.example', never)).toHaveLength(2)
    expect(ended).toBe(0)
    gone.abort()
    const codes = (await Promise.allSettled(silent)).map((each) =>
      each.status === 'rejected' ? each.reason.code : null,
    )
    expect(new Set(codes)).toEqual(new Set(['ECANCELLED']))
  })
})
