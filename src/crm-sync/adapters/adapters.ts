import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import { Pace } from '../../platform/outbound/pace.ts'
import { type StoredConnection, usualKeyField } from '../connections.ts'
import { readCredentials, replaceCredentials } from '../kept-credentials.ts'
import { measured } from '../metrics.ts'
import { AccessRefused, type Adapter } from './adapter.ts'
import { espocrmAdapter } from './espocrm.ts'
import { hubspotAdapter } from './hubspot.ts'
import { hubspotPace } from './hubspot-api.ts'
import { salesforceAdapter } from './salesforce.ts'
import type { CredentialStore } from './salesforce-access.ts'
import { sandboxAdapter } from './sandbox.ts'

/** Of all connections of this process. */
const pace = new Pace(hubspotPace)

/** The way to a connection's CRM; keys of test mode reach the sandbox alone. @throws AccessRefused without credentials */
export async function openAdapter(
  context: Context,
  org: Org,
  connection: StoredConnection,
  mode: Actor['mode'],
): Promise<Adapter> {
  const provider = mode === 'test' ? 'sandbox' : connection.provider
  return measured(await adapterOf(context, org, connection, mode), provider, context)
}

async function adapterOf(
  context: Context,
  org: Org,
  connection: StoredConnection,
  mode: Actor['mode'],
): Promise<Adapter> {
  const { connection_id: connectionId, provider, settings } = connection
  if (mode === 'test' || provider === 'sandbox') return sandboxAdapter(org, connection, mode)
  const store: CredentialStore = {
    read: () => org.read((tx) => readCredentials(tx, context.secrets, org.orgId, connectionId)),
    replace: async (before, after) => {
      try {
        await org.transact((tx) =>
          replaceCredentials(tx, context.secrets, org.orgId, connectionId, { before, after }),
        )
      } catch (error) {
        const about = { err: error, org_id: org.orgId, connection_id: connectionId }
        context.log.error(about, notKept)
        throw error
      }
    },
  }
  const credentials = await store.read()
  if (credentials === null)
    throw new AccessRefused(
      `The credentials cannot be read any more: send them again (PATCH /integrations/crm-sync/connections/${connectionId})`,
    )
  const options = {
    keyField: settings.external_id_field ?? usualKeyField[provider],
    allowDuplicates: settings.allow_duplicates ?? false,
  }
  const outbound = new Outbound({ allowPrivate: context.config.outboundAllowPrivate, log: context.log })
  if (provider === 'espocrm')
    return espocrmAdapter({ url: credentials.url!, api_key: credentials.api_key! }, options, outbound)
  if (provider === 'hubspot') {
    const access = { outbound, apiUrl: context.config.hubspotApiUrl, pace }
    return hubspotAdapter(access, {
      connectionId,
      token: credentials.access_token!,
      keyField: options.keyField,
    })
  }
  const loginUrl = context.config.salesforceLoginUrl
  return salesforceAdapter({ outbound, loginUrl, connectionId, credentials, store, ...options })
}

const notKept =
  'the refresh token that a CRM gave in place of the one that is kept could not be kept; this process tries again with its next request: if it ends before, the app has to be authorized again'
