import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await sharedTestApp()
})
afterAll(() => app.close())

test('the options of all fields of a record type have at most 100,000 characters together', async () => {
  const org = await app.newOrg()
  const define = (fields: object) => org.post('/fields', { entity: 'contact', ...fields })
  const full = (key: string) => ({
    ...{ key, type: 'select' },
    options: Array.from({ length: 200 }, (_, at) => String(at).padEnd(120, 'x')),
  })
  const [first] = await Promise.all(['a', 'b', 'c', 'd'].map((key) => define(full(key))))
  const limit = [409, 'limit_reached', expect.stringContaining('100,000 characters')]
  const refusal = async (asked: ReturnType<typeof define>) => {
    const { status, body } = await asked
    return [status, body.code, body.detail]
  }
  expect(await refusal(define(full('e')))).toEqual(limit)
  const small = (await define({ key: 'f', type: 'select', options: ['Gold'] })).body.data
  expect(await refusal(org.patch(`/fields/${small.field_id}`, { options: full('').options }))).toEqual(limit)
  const shorter = await org.patch(`/fields/${first!.body.data.field_id}`, { options: ['Gold'] })
  expect([shorter.status, (await define(full('g'))).status]).toEqual([200, 201])
})
