import type { NaiveOrg, Outcome, StepOf } from './naive-org.ts'

/** Adds a note or a task. It belongs to the record whose id was sent, archived or not. */
export function addRemark(org: NaiveOrg, { do: kind, id, text }: StepOf<'note' | 'task'>): Outcome {
  if ((org.facts.records.get(id)?.status ?? 'erased') === 'erased') return null
  org.remarks.push({ kind, id, text })
  return 'created'
}

/** The canonical record of each note or task, by text. Erasing a record removes its notes and tasks. */
export function remarksShown(org: NaiveOrg, kind: 'note' | 'task'): Record<string, string> {
  const left = org.remarks.filter(
    (each) => each.kind === kind && org.facts.records.get(each.id)?.status !== 'erased',
  )
  return Object.fromEntries(left.map(({ id, text }) => [text, org.root(id)]))
}
