import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkViews } from '../src/duplicates/check-views.ts'
import { startTestApp } from './app.ts'
import { DrivenOrg } from './merging/driven-org.ts'
import { createdFirst, entities, orgHistories } from './merging/org-steps.ts'

/** Histories: some with every change, many with `npm run test:properties`. */
const rounds = Number(process.env.ORG_HISTORIES ?? 200)
/** Each history has a seed of its own, so that one that fails can be had alone: SEED=<its seed> ORG_HISTORIES=1. */
const firstSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

const app = await startTestApp()
const client = new Client({ connectionString: app.databaseUrl })
beforeAll(() => client.connect())
afterAll(async () => {
  await client.end()
  await app.close({ leavesJobs: true })
})

test('whatever is done to an org, what is undone might as well never have been', {
  timeout: 3_600_000,
}, async () => {
  let [next, steps, compared] = [0, 0, 0]
  async function live(seed: number): Promise<void> {
    const all = fc.sample(orgHistories(16), { numRuns: 1, seed }).flat()
    const org = await app.newOrg()
    const driven = new DrivenOrg(org, client)
    await driven.begin(all.slice(0, createdFirst))
    for (const step of all.slice(createdFirst)) await driven.take(step)
    await driven.compare()
    await driven.compareMerges()
    await driven.compareIds()
    if (driven.compareWithout()) compared++
    await driven.undoAll()
    await driven.compare(entities, true)
    await driven.compareMerges()
    steps += driven.taken
    const { deviations } = await checkViews(app.app.context.database.org(org.orgId))
    expect(deviations, driven.history).toEqual([])
  }
  async function work(): Promise<void> {
    while (next < rounds) {
      const seed = (firstSeed + next++) % 2 ** 31
      try {
        await live(seed)
      } catch (error) {
        next = rounds
        const failed = error as Error
        failed.message = `SEED=${seed} ORG_HISTORIES=1: ${failed.message}`
        throw failed
      }
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: 4 }, work))
  if (rounds >= 50) expect(compared).toBeGreaterThan(rounds * 0.6)
  if (process.env.ORG_HISTORIES) {
    const seconds = Math.round((performance.now() - began) / 1000)
    console.info(
      `${rounds} histories from seed ${firstSeed}, ${steps} steps, ${compared} compared, ${seconds} s`,
    )
  }
})
