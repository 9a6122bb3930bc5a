import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { checkViews } from '../src/duplicates/check-views.ts'
import { startTestApp } from './app.ts'
import { DrivenOrg } from './merging/driven-org.ts'
import { orgHistories } from './merging/org-steps.ts'

/** Histories: some with every change, many with `npm run test:properties`. */
const rounds = Number(process.env.ORG_HISTORIES ?? 60)

const app = await startTestApp()
afterAll(() => app.close({ leavesJobs: true }))

const but = (shown: Record<string, object>, loose: readonly string[]) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, record]) => [
      name,
      Object.fromEntries(Object.entries(record).filter(([field]) => !loose.includes(field))),
    ]),
  )

test('whatever is done to an org, what is undone might as well never have been', {
  timeout: 3_600_000,
}, async () => {
  let [steps, compared] = [0, 0]
  const histories = fc.sample(orgHistories(16), {
    numRuns: rounds,
    ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}),
  })
  const next = histories.values()
  async function work() {
    for (const history of next) {
      const org = await app.newOrg()
      const driven = new DrivenOrg(org)
      await driven.begin(history.slice(0, 10))
      for (const step of history.slice(10)) await driven.take(step)
      steps += driven.taken
      const shown = await driven.dump()
      const { live, counterfactual, loose } = driven.expected()
      expect(shown, driven.history).toEqual(live)
      if (counterfactual) {
        compared++
        expect(but(shown, loose), driven.history).toEqual(but(counterfactual, loose))
      }
      await driven.proveTruthful()
      await driven.proveIdsResolve()
      expect(await driven.dump(), `${driven.history}\nand all undone`).toEqual(driven.expected().live)
      const { deviations } = await checkViews(app.app.context.database.org(org.orgId))
      expect(deviations, driven.history).toEqual([])
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  expect(compared).toBeGreaterThan(rounds * 0.6)
  if (process.env.ORG_HISTORIES) console.info(`${rounds} histories, ${steps} steps, ${compared} compared`)
})
