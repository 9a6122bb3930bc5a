import { parentPort } from 'node:worker_threads'
import { judge } from '../deciding/judge.ts'
import { shippedMatcher } from '../deciding/judging.ts'
import { planFor } from '../deciding/plan.ts'
import { type Subject, subjectOf } from '../deciding/subjects.ts'
import type { PlanTask } from './plan-threads.ts'

// One thread of `PlanThreads`: says what follows from comparing the records of each group.
parentPort!.on('message', (task: PlanTask) => {
  const { place, entityType, settings, total, stored, groups, different, children } = task
  const judging = { settings, ...shippedMatcher(entityType, total) }
  const subjects = new Map(
    stored.map((each) => [each.recordId, subjectOf(entityType, each, judging.matcher)] as const),
  )
  const plans = groups.map((group) => {
    const members = group.map((id) => subjects.get(id)).filter((each): each is Subject => each !== undefined)
    if (members.length < 2) return { merges: [], shadows: [] }
    return planFor({
      subjects: members,
      judge: (one, other) => judge(entityType, judging, one.portrait, other.portrait),
      different,
      children,
    })
  })
  parentPort!.postMessage({ place, plans })
})
