import { parentPort } from 'node:worker_threads'
import { atOnce } from '../../platform/slices.ts'
import { planningGroups } from './plan-groups.ts'
import type { PlanResult, PlanTask } from './plan-threads.ts'

// The code of a thread that `PlanThreads` starts.
parentPort?.on('message', ({ index, ...input }: PlanTask) => {
  parentPort?.postMessage({ index, plans: atOnce(planningGroups(input)) } satisfies PlanResult)
})
