import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { ProviderName } from '../credentials.ts'
import type { Provider } from '../providers/provider.ts'
import { providerMakers } from '../providers/providers.ts'
import { readCredentials } from '../settings.ts'

/**
 * The adapter for an org's calls through a provider, even an earlier provider. null: the credentials are missing or
 * do not open.
 */
export async function adapterFor(context: Context, org: Org, name: ProviderName): Promise<Provider | null> {
  const make = providerMakers[name]
  if (name === 'simulator') return make({ org, context, credentials: {} })
  const credentials = await org.read((tx) => readCredentials(tx, context.secrets, name))
  return credentials && make({ org, context, credentials })
}
