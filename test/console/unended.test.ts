import { expect, test } from 'vitest'
import { unended } from '../../console/src/api/unended.ts'

type Job = { id: string; status: 'queued' | 'running' | 'succeeded' }

/** Lists jobs in pages of 50, as the API does, and remembers what was asked. */
function listOf(jobs: Job[]) {
  const asked: (string | undefined)[] = []
  const list = async ({ limit, status }: { limit: number; status?: string }) => {
    asked.push(status)
    const found = jobs.filter((job) => status === undefined || job.status === status)
    return {
      data: found.slice(0, limit),
      pagination: { next_cursor: found.length > limit ? 'more' : null },
    }
  }
  return { list, asked }
}
const ended = (count: number) =>
  Array.from({ length: count }, (_, n): Job => ({ id: `ended ${n}`, status: 'succeeded' }))
const active = ['queued', 'running'] as const

test('a running job is found although many later jobs have ended', async () => {
  const { list } = listOf([
    { id: 'a', status: 'queued' },
    ...ended(60),
    { id: 'b', status: 'running' },
    { id: 'c', status: 'queued' },
  ])
  const found = await unended<Job, string>(list, active, ({ id }) => id)
  expect(found.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c'])
})

test('a short list is read once', async () => {
  const { list, asked } = listOf([{ id: 'a', status: 'running' }, ...ended(20)])
  expect(await unended<Job, string>(list, active, ({ id }) => id)).toEqual([{ id: 'a', status: 'running' }])
  expect(asked).toEqual([undefined])
})
