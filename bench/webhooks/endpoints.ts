import { randomBytes } from 'node:crypto'
import { positionOfNow } from '../../src/events/position.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { createLog } from '../../src/platform/log.ts'
import { Secrets } from '../../src/platform/secrets/secrets.ts'
import { secretName } from '../../src/webhooks/secret-names.ts'
import { type Bench, rootKey } from '../support/installation.ts'

const secrets = new Secrets([rootKey], createLog('error'))

/** Adds an endpoint with full payloads, which gets all later events of these types. */
export async function addEndpoint(
  bench: Bench,
  orgId: string,
  url: string,
  { status = 'enabled', types = ['*'] } = {},
): Promise<void> {
  const endpointId = newId()
  await bench.database.org(orgId).transact(async (tx) => {
    await tx.run(sql`
      insert into webhook_endpoint (org_id, endpoint_id, mode, url, description, types, payload, include_clients,
        max_in_flight, headers, status, created_at, updated_at)
      values (${orgId}, ${endpointId}, 'live', ${url}, '', ${types}, 'full', false, 8, '{}', ${status}, now(), now())`)
    await secrets.put(tx, orgId, secretName(endpointId), `whsec_${randomBytes(32).toString('base64')}`)
    const position = JSON.stringify(await positionOfNow(tx))
    await tx.run(sql`
      insert into webhook_position (org_id, endpoint_id, source_org_id, position)
      values (${orgId}, ${endpointId}, ${orgId}, ${position}::json)`)
  })
}

export async function setStatus(bench: Bench, orgId: string, status: 'enabled' | 'disabled'): Promise<void> {
  await bench.database
    .org(orgId)
    .transact((tx) => tx.run(sql`update webhook_endpoint set status = ${status} where org_id = ${orgId}`))
}
