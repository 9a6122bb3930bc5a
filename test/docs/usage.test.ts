import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

test('the answer in docs/reference/usage.md has the shape of a real answer', async () => {
  const [, block = ''] = /```json\n(.*?)```/s.exec(readFileSync('docs/reference/usage.md', 'utf8')) ?? []
  const shown = JSON.parse(block)
  const org = await app.newOrg()
  const { body } = await org.get('/usage')
  expect(Object.keys(shown)).toEqual(Object.keys(body))
  expect(shown.data.series.length).toBeGreaterThan(0)
  for (const { name, points, ...rest } of shown.data.series) {
    expect(rest).toEqual({})
    const real = body.data.series.find((series: { name: string }) => series.name === name)
    const stepOf = (pairs: number[][]) => pairs[1]![0]! - pairs[0]![0]!
    expect(stepOf(points)).toBe(stepOf(real.points))
    for (const [at] of points) expect(at % 3_600).toBe(0)
  }
})
