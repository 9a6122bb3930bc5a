import { parentPort } from 'node:worker_threads'
import { planGroups } from './plan-groups.ts'
import type { PlanResult, PlanTask } from './plan-threads.ts'

// One thread of `PlanThreads`.
parentPort!.on('message', ({ place, ...grouped }: PlanTask) => {
  parentPort!.postMessage({ place, plans: planGroups(grouped) } satisfies PlanResult)
})
