import { randomBytes } from 'node:crypto'
import type { App } from '../../../src/app.ts'
import { positionOfNow } from '../../../src/events/position.ts'
import { newId } from '../../../src/platform/db/new-id.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { oldSecretName, secretName } from '../../../src/webhooks/secret-names.ts'

export type EndpointOptions = {
  url: string
  types?: string[]
  mode?: 'live' | 'test'
  payload?: 'full' | 'thin'
  includeClients?: boolean
  maxInFlight?: number
  maxPerSecond?: number | null
  permissions?: string[] | null
  /** The old secret, which also signs. */
  oldSecret?: string
}

export type TestEndpoint = { endpointId: string; secret: string }

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Stores an endpoint that gets all later events. */
export function addEndpoint(app: App, orgId: string, options: EndpointOptions): Promise<TestEndpoint> {
  const { url, types = ['*'], mode = 'live', payload = 'full', includeClients = false } = options
  const { maxInFlight = 8, maxPerSecond = null, permissions = null, oldSecret = null } = options
  const [endpointId, secret] = [newId(), newSecret()]
  const { database, secrets } = app.context
  return database.org(orgId).transact(async (tx) => {
    await tx.run(sql`
      insert into webhook_endpoint (org_id, endpoint_id, mode, url, description, types, payload, include_clients,
        max_per_second, max_in_flight, headers, permissions, old_secret_expires_at, created_at, updated_at)
      values (${orgId}, ${endpointId}, ${mode}, ${url}, '', ${types}, ${payload}, ${includeClients},
        ${maxPerSecond}, ${maxInFlight}, '{}', ${permissions}, case when ${oldSecret !== null} then now() + interval '1 day' end,
        now(), now())`)
    await secrets.put(tx, orgId, secretName(endpointId), secret)
    if (oldSecret !== null) await secrets.put(tx, orgId, oldSecretName(endpointId), oldSecret)
    const position = JSON.stringify(await positionOfNow(tx))
    await tx.run(sql`
      insert into webhook_position (org_id, endpoint_id, source_org_id, position)
      values (${orgId}, ${endpointId}, ${orgId}, ${position}::json)`)
    return { endpointId, secret }
  })
}

export type EndpointState = {
  status: string
  disabled_reason: string | null
  failures: number
  refusals: number
  next_probe_at: Date | null
}

export async function readState(app: App, orgId: string, endpointId: string): Promise<EndpointState> {
  const [row] = await app.context.database.org(orgId).readRows(sql<EndpointState>`
    select status, disabled_reason, failures, refusals, next_probe_at from webhook_endpoint
    where org_id = ${orgId} and endpoint_id = ${endpointId}`)
  if (!row) throw new Error('the endpoint is missing')
  return row
}

/** Moves the retries of an endpoint to some hours earlier. */
export function passRetryHours(app: App, orgId: string, endpointId: string, hours: number): Promise<void> {
  return app.context.database.org(orgId).transact(async (tx) => {
    await tx.run(sql`
      update webhook_retry set next_at = next_at - ${hours} * interval '1 hour'
      where org_id = ${orgId} and endpoint_id = ${endpointId}`)
  })
}

/** Moves the failures, the next probe and the retries of an endpoint to some hours earlier. */
export async function passHours(app: App, orgId: string, endpointId: string, hours: number): Promise<void> {
  await app.context.database.org(orgId).transact((tx) =>
    tx.run(sql`
      update webhook_endpoint set next_probe_at = next_probe_at - ${hours} * interval '1 hour',
        first_failure_at = first_failure_at - ${hours} * interval '1 hour',
        last_failure_at = last_failure_at - ${hours} * interval '1 hour'
      where org_id = ${orgId} and endpoint_id = ${endpointId}`),
  )
  await passRetryHours(app, orgId, endpointId, hours)
}
