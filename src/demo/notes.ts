import { createNote } from '../notes/notes.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Owner } from '../records/owners/owner.ts'
import { createTask, setTaskDone } from '../tasks/tasks.ts'
import { pick, seededRandom } from './random.ts'

const dayMs = 86_400_000

const noteTexts = [
  'Prefers a call in the morning. Decides together with the head of purchasing.',
  'Asked for a **pilot with 20 seats** before they roll it out to all sites.',
  'Uses a spreadsheet today. Pain: two people edit the same customer, and one change is lost.',
  'The budget is approved, and starts in the next quarter.\n\n- wants monthly invoices\n- needs a data processing agreement',
  'Met at the trade fair. Interested in the integration with their accounting system.',
  'Was unhappy with the response time of support last month. Asked for a contact person.',
]

/**
 * Each task with its due day, in days from now; null: none. `true`: the task is assigned to a demo member. The first
 * owner gets the other tasks that have a due day.
 */
const taskTitles: readonly (readonly [title: string, dueIn: number | null, isOfMember?: true])[] = [
  ['Send the offer', -2],
  ['Call back about the pilot', 0],
  ['Answer the questions on data protection', 0],
  ['Prepare the demo', 2],
  ['Ask for a reference', 5, true],
  ['Follow up on the contract', 9],
  ['Check whether the invoice arrived', 14, true],
  ['Find out who decides', null],
]

/**
 * Writes invented notes about contacts, and tasks about deals, some of which are done.
 * @param members some tasks are assigned to them; by default to nobody
 */
export async function addNotesAndTasks(
  tx: OrgTx,
  seed: number,
  contactIds: readonly string[],
  dealIds: readonly string[],
  members: readonly Owner[] = [],
): Promise<void> {
  const random = seededRandom(seed)
  for (const [index, record_id] of contactIds.entries()) {
    const text = noteTexts[index % noteTexts.length] ?? ''
    await createNote(tx, { entity_type: 'contact', record_id, text })
  }
  for (const [title, dueIn, isOfMember] of dealIds.length > 0 ? taskTitles : []) {
    const due_on =
      dueIn === null ? null : new Date(Date.now() + dueIn * dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length)
    const record_id = pick(random, dealIds)
    const assignee_id = isOfMember && members.length > 0 ? pick(random, members).member_id : null
    await createTask(tx, { entity_type: 'deal', record_id, title, due_on, assignee_id })
  }
  for (const title of dealIds.length > 0 ? ['Introduce the account manager', 'Send the price list'] : []) {
    const task = { entity_type: 'deal' as const, record_id: pick(random, dealIds), title }
    await setTaskDone(tx, (await createTask(tx, task)).task_id, true, undefined)
  }
}
