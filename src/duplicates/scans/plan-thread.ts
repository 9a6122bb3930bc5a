import { parentPort } from 'node:worker_threads'
import { runUnsliced } from '../../platform/slices.ts'
import { planningGroups } from './plan-groups.ts'
import type { PlanResult, PlanTask } from './plan-threads.ts'

parentPort?.on('message', ({ index, ...input }: PlanTask) => {
  parentPort?.postMessage({ index, plans: runUnsliced(planningGroups(input)) } satisfies PlanResult)
})
