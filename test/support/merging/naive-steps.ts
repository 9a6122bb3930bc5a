import {
  ageMerge,
  answerProposal,
  configure,
  mergeAll,
  proposeMerge,
  redoMerge,
  undoMerge,
} from './naive-merges.ts'
import type { NaiveOrg, Outcome, Step } from './naive-org.ts'
import { createRecord, endDeal, eraseRecord, patchRecord, setStatus, upsertRecord } from './naive-records.ts'
import { addRemark } from './naive-remarks.ts'

/** Returns null if the org refused the step. */
export function takeStep(org: NaiveOrg, step: Step): Outcome {
  switch (step.do) {
    case 'create':
      return createRecord(org, step.entity, step.id, step.fields)
    case 'write':
      return patchRecord(org, step.id, step.fields)
    case 'upsert':
      return upsertRecord(org, step)
    case 'batch':
      return step.items.map((each) => takeStep(org, each) ?? 'failed').join()
    case 'archive':
    case 'restore':
      return setStatus(org, step.id, step.do === 'archive' ? 'archived' : 'active')
    case 'erase':
      return eraseRecord(org, step.id)
    case 'close':
    case 'reopen':
      return endDeal(org, step)
    case 'note':
    case 'task':
      return addRemark(org, step)
    case 'merge':
      return mergeAll(org, step)
    case 'undo':
      return undoMerge(org, step.merge)
    case 'redo':
      return redoMerge(org, step.merge)
    case 'settings':
      return configure(org, step)
    case 'age':
      return ageMerge(org, step.merge)
    case 'propose':
      return proposeMerge(org, step)
    case 'apply':
    case 'dismiss':
      return answerProposal(org, step)
  }
}
