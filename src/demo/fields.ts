import { createField } from '../fields/fields.ts'
import { CreateField } from '../fields/schema.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'

/** The members of `custom` that the invented people have. */
const fields = [
  { entity: 'contact', key: 'date_of_birth', label: 'Date of birth', type: 'date' },
  { entity: 'contact', key: 'street', label: 'Street', type: 'text' },
]

/** Defines the organization's own fields. */
export async function addFields(tx: OrgTx, jobs: Jobs): Promise<void> {
  for (const field of fields) await createField(tx, jobs, CreateField.parse({ ...field, existing: 'keep' }))
}
