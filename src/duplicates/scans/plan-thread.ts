import { parentPort } from 'node:worker_threads'
import { lowerPriority } from '../../platform/low-priority.ts'
import { runUnsliced } from '../../platform/slices.ts'
import { planningGroups } from './plan-groups.ts'
import type { PlanResult, PlanTask } from './plan-threads.ts'

lowerPriority()

parentPort?.on('message', ({ index, ...input }: PlanTask) => {
  parentPort?.postMessage({ index, plans: runUnsliced(planningGroups(input)) } satisfies PlanResult)
})
