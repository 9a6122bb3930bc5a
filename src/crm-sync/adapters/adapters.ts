import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import { Pace } from '../../platform/outbound/pace.ts'
import { defaultKeyField, type StoredConnection } from '../connections.ts'
import { withMetrics } from '../metrics.ts'
import { readCredentials, replaceCredentials } from '../stored-credentials.ts'
import { AccessRefused, type Adapter } from './adapter.ts'
import { EspoAdapter } from './espocrm.ts'
import { HubSpotAdapter } from './hubspot.ts'
import { hubspotPace } from './hubspot-api.ts'
import { SalesforceAdapter } from './salesforce.ts'
import type { CredentialStore } from './salesforce-access.ts'
import { SandboxAdapter } from './sandbox.ts'

/** All connections of this process share this rate limit. */
const sharedHubspotPace = new Pace(hubspotPace)

/**
 * Opens the adapter of a connection. In test mode, this is always the sandbox.
 * @throws AccessRefused if the credentials do not open
 */
export async function openAdapter(
  context: Context,
  org: Org,
  connection: StoredConnection,
  mode: Actor['mode'],
): Promise<Adapter> {
  const provider = mode === 'test' ? 'sandbox' : connection.provider
  return withMetrics(await adapterOf(context, org, connection, mode), provider, context)
}

async function adapterOf(
  context: Context,
  org: Org,
  connection: StoredConnection,
  mode: Actor['mode'],
): Promise<Adapter> {
  const { connection_id: connectionId, provider, settings } = connection
  if (mode === 'test' || provider === 'sandbox') return new SandboxAdapter({ org, connection, mode })
  const store = credentialStore(context, org, connectionId)
  const credentials = await store.read()
  if (credentials === null)
    throw new AccessRefused(
      `The stored credentials do not open: send them again (PATCH /integrations/crm-sync/connections/${connectionId})`,
    )
  const { config, log } = context
  const outbound = new Outbound({ allowPrivate: config.outboundAllowPrivate, log })
  const keyField = settings.external_id_field ?? defaultKeyField[provider]
  const allowDuplicates = settings.allow_duplicates ?? false
  if (provider === 'espocrm') {
    const { url = '', api_key: apiKey = '' } = credentials
    return new EspoAdapter({ outbound, owner: org.orgId, url, apiKey, keyField, allowDuplicates })
  }
  if (provider === 'hubspot') {
    const { access_token: token = '' } = credentials
    return new HubSpotAdapter({
      ...{ outbound, owner: org.orgId, apiUrl: config.hubspotApiUrl, pace: sharedHubspotPace },
      ...{ connectionId, token, keyField },
    })
  }
  const loginUrl = config.salesforceLoginUrl
  return new SalesforceAdapter({
    ...{ outbound, owner: org.orgId, loginUrl, connectionId, credentials, store },
    ...{ keyField, allowDuplicates },
  })
}

function credentialStore(context: Context, org: Org, connectionId: string): CredentialStore {
  return {
    read: () => org.read((tx) => readCredentials(tx, context.secrets, connectionId)),
    replace: async (before, after) => {
      try {
        await org.transact((tx) => replaceCredentials(tx, context.secrets, connectionId, { before, after }))
      } catch (error) {
        const about = { err: error, org_id: org.orgId, connection_id: connectionId }
        context.log.error(about, tokenNotStored)
        throw error
      }
    },
  }
}

const tokenNotStored =
  'the new refresh token of a CRM could not be stored; this process tries again with its next request. If the process ends before that, authorize the app again'
