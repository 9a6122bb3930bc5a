import { contacts } from '../contacts/contacts.ts'
import { createConnection } from '../crm-sync/connections.ts'
import { createJob } from '../crm-sync/jobs/jobs.ts'
import { Push } from '../crm-sync/schema.ts'
import type { Context } from '../platform/context.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { validator } from '../platform/http/validation.ts'
import { changeRecord } from '../records/change.ts'
import type { Fields } from '../records/record-type.ts'
import type { SamplePerson } from './sample.ts'

/** How many of the pushed people the CRM refuses. */
const refused = 3

/**
 * Connects the CRM inside Crosswalk, and pushes the customers to it in a background job. The CRM refuses three of them,
 * by their addresses.
 */
export async function addCrmPush(
  tx: OrgTx,
  context: Pick<Context, 'jobs' | 'secrets'>,
  people: readonly SamplePerson[],
): Promise<void> {
  const validate = validator([{ in: 'body', schema: contacts.input }])
  const reachable = people.filter(({ input }) => input.lifecycle_stage === 'customer' && input.email)
  for (const { input, contactId } of reachable.slice(0, refused)) {
    const { body } = validate({ body: { email: input.email?.replace('@', '+refused@') } })
    await changeRecord(tx, contacts, contactId, body as Fields)
  }
  const connection = await createConnection(tx, context.secrets, { provider: 'sandbox', name: 'Demo CRM' })
  const push = Push.parse({
    ...{ connection_id: connection.connection_id, filter: { lifecycle_stage: 'customer' } },
  })
  await createJob(tx, context, 'leads_push', push, { filter: push.filter })
}
