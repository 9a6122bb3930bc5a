import fc from 'fast-check'
import type { Client } from 'pg'
import { expect } from 'vitest'
import { checkMergedRecords } from '../../../src/duplicates/check-merged-records.ts'
import type { TestApp } from '../app.ts'
import { DrivenOrg } from './driven-org.ts'
import type { OrgStep } from './org-step.ts'
import { createdFirst, entities, orgHistories } from './org-steps.ts'

/** To repeat one failed history, set SEED=<its seed> ORG_HISTORIES=1. */
const firstSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

/**
 * Runs random histories of writes, merges and undos through the API, and compares them with the naive model.
 * @throws the error of the shortest failing history, with its seed
 */
export async function checkHistories(app: TestApp, client: Client, rounds: number): Promise<void> {
  let [next, done, steps, compared] = [0, 0, 0, 0]
  const began = performance.now()
  const report = () => {
    const seconds = Math.round((performance.now() - began) / 1000)
    console.info(
      `${done} histories from seed ${firstSeed}, ${steps} steps, ${compared} compared, ${seconds} s`,
    )
  }
  async function live(history: readonly OrgStep[]): Promise<void> {
    const org = await app.newOrg()
    const driven = new DrivenOrg(org, client)
    await driven.requests.addMembers(app)
    await driven.requests.defineFields()
    await driven.begin(history.slice(0, createdFirst))
    for (const step of history.slice(createdFirst)) await driven.take(step)
    await driven.compare()
    await driven.compareMerges()
    await driven.compareIds()
    if (driven.compareWithout()) compared++
    await driven.undoAll()
    await driven.compare(entities, true)
    await driven.compareMerges()
    steps += driven.taken
    const { deviations } = await checkMergedRecords(app.app.context.database.org(org.orgId))
    expect(deviations, driven.history).toEqual([])
  }
  /** Removes steps without which the history still fails. Returns the failure of the rest. */
  async function shortest(history: readonly OrgStep[], failed: Error): Promise<Error> {
    for (let index = history.length - 1; index >= createdFirst; index--) {
      const shorter = history.toSpliced(index, 1)
      const error = await live(shorter).catch((each: Error) => each)
      if (error) return shortest(shorter, error)
    }
    return failed
  }
  async function work(): Promise<void> {
    while (next < rounds) {
      const seed = (firstSeed + next++) % 2 ** 31
      const history = fc.sample(orgHistories(16), { numRuns: 1, seed }).flat()
      const error = await live(history).catch((each: Error) => each)
      if (error) {
        next = rounds
        const failed = await shortest(history, error)
        failed.message = `SEED=${seed} ORG_HISTORIES=1: ${failed.message}`
        throw failed
      }
      if (++done % 250 === 0) report()
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  if (rounds >= 50) expect(compared).toBeGreaterThan(rounds * 0.6)
  report()
}
