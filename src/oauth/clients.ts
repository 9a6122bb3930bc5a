import { randomUUID } from 'node:crypto'
import type { AdapterPayload } from 'oidc-provider'
import { z } from 'zod'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { visibleText } from '../platform/visible-text.ts'
import { forStrangers, type StrangersScope } from './limit-database.ts'
import { forNetwork } from './network.ts'

const perNetworkAndHour = 10
const clientsMax = 10_000
const unusedDays = 90

/** Why a registration is refused (RFC 7591, section 3.2.2). */
export class RegistrationRefused extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata' | 'temporarily_unavailable'
  constructor(code: RegistrationRefused['code'], message: string) {
    super(message)
    this.code = code
  }
}

const Registration = z.object({
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(10),
  client_name: z.string().max(120).optional(),
  client_uri: z.string().max(500).optional(),
})

/** Redirect addresses of web apps, of programs on the person's computer, and of two known editors. */
function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return false
  if (protocol === 'http:') return isLoopback(hostname)
  return ['https:', 'cursor:', 'vscode:', 'vscode-insiders:'].includes(protocol)
}

/** Returns whether a host is this machine (RFC 8252, section 7.3). */
export const isLoopback = (hostname: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)

/**
 * The members of a registration that the server reads. Every client is public and has the type `native`, which allows
 * any loopback port.
 */
function metadataOf(body: unknown, clientId: string) {
  const parsed = Registration.safeParse(body)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'the body'}: ${message}`,
    )
    throw new RegistrationRefused('invalid_client_metadata', faults.join('; '))
  }
  const { redirect_uris, client_name = '', client_uri } = parsed.data
  const name = visibleText(client_name).trim() || 'An app without a name'
  const wrong = redirect_uris.find((uri) => !isRedirectUri(uri))
  if (wrong !== undefined)
    throw new RegistrationRefused(
      'invalid_redirect_uri',
      `${wrong.slice(0, 200)} is not accepted: send https, http on localhost or 127.0.0.1, cursor: or vscode:, without a fragment`,
    )
  return {
    ...{ client_id: clientId, client_name: name, redirect_uris, application_type: 'native' },
    ...(client_uri !== undefined && URL.canParse(client_uri) ? { client_uri } : {}),
    ...{ token_endpoint_auth_method: 'none', response_types: ['code'] },
    grant_types: ['authorization_code', 'refresh_token'],
  }
}

/**
 * If the table is full, the server deletes the oldest clients that nobody connected within an hour. Otherwise a
 * stranger with many addresses could keep every new app out for 90 days.
 */
const dropNeverUsed = sql`
  delete from oauth_client where (select count(*) from oauth_client) >= ${clientsMax} and client_id in (
    select client_id from oauth_client
    where last_used_at = created_at and created_at < now() - interval '1 hour'
    order by created_at limit 100)`

/**
 * Registers a client that names itself (RFC 7591). Returns its metadata with the new id.
 * @throws RegistrationRefused
 */
export function registerClient(scope: SystemScope, body: unknown, network: string): Promise<object> {
  const clientId = randomUUID()
  const metadata = metadataOf(body, clientId)
  return forNetwork(network, () => store(forStrangers(scope, tooManyAtOnce), clientId, metadata, network))
}

const tooManyAtOnce = () =>
  new RegistrationRefused(
    'temporarily_unavailable',
    'Many apps register at this moment; try again in a few seconds',
  )

function store(scope: StrangersScope, clientId: string, metadata: object, network: string): Promise<object> {
  return scope.transact(async (tx) => {
    await lockExclusive(tx, `oauth clients ${network}`)
    await tx.run(dropNeverUsed)
    const counted = await tx.first(sql<{ recent: number; total: number }>`
      select (select count(*)::int from oauth_client where network = ${network} and created_at > now() - interval '1 hour') as recent,
        (select count(*)::int from oauth_client) as total`)
    if (!counted || counted.recent >= perNetworkAndHour || counted.total >= clientsMax)
      throw new RegistrationRefused(
        'temporarily_unavailable',
        'Too many apps registered; try again in an hour, or connect with an API key',
      )
    await tx.run(sql`
      insert into oauth_client (client_id, metadata, network, created_at, last_used_at)
      values (${clientId}, ${JSON.stringify(metadata)}::jsonb, ${network}, now(), now())`)
    return { ...metadata, client_id_issued_at: Math.floor(Date.now() / 1000) }
  })
}

/** Returns the metadata of a registered client; undefined without one. */
export async function findClient(
  scope: StrangersScope,
  clientId: string,
): Promise<AdapterPayload | undefined> {
  // The id of any other client is the address of its document.
  if (!/^[0-9a-f-]{36}$/.test(clientId)) return undefined
  const [row] = await scope.readRows(sql<{ metadata: AdapterPayload }>`
    select metadata from oauth_client where client_id = ${clientId}`)
  return row?.metadata
}

/** Records that a person connected the client, so that it is not deleted. */
export async function recordClientUse(scope: SystemScope, clientId: string): Promise<void> {
  await scope.transact((tx) =>
    tx.run(sql`update oauth_client set last_used_at = now() where client_id = ${clientId}`),
  )
}

/** Deletes up to `max` clients that nobody connected for 90 days, and that no app uses. Returns how many. */
export function deleteUnusedClients(scope: SystemScope, max: number): Promise<number> {
  return scope.transact((tx) =>
    tx.run(sql`
      delete from oauth_client c where c.client_id in (
        select client_id from oauth_client
        where last_used_at < now() - make_interval(days => ${unusedDays})
          and not exists (select from connected_app a where a.client_id = oauth_client.client_id and a.revoked_at is null)
        limit ${max})`),
  )
}
