import { z } from 'zod'
import { text } from '../platform/http/fields.ts'
import { type JsonSchema, toJsonSchema } from '../platform/http/json-schema.ts'
import { credentialShapes } from './credentials.ts'
import { type ProviderName, providers } from './providers.ts'

const described: Readonly<Record<string, string>> = {
  access_token: 'The access token of a private app.',
  api_key: 'The key of an API user.',
  client_id: 'The consumer key of a connected app.',
  client_secret: 'The consumer secret of the app.',
  private_key: 'The private key whose certificate the app has, as PEM.',
  refresh_token: 'A refresh token of a user who gave the app access.',
  url: 'The address of the CRM, such as https://crm.example.com.',
  username: 'The user for whom the app acts.',
}

/** The titles of the credentials in the reference, in the order of `shapes`. */
const titles: Readonly<Record<Exclude<ProviderName, 'sandbox'>, readonly string[]>> = {
  salesforce: ['SalesforceRefreshToken', 'SalesforcePrivateKey'],
  hubspot: ['HubspotCredentials'],
  espocrm: ['EspocrmCredentials'],
}

/**
 * The body of a new connection in the reference: a union by provider, with its credentials. The server checks
 * credentials in `credentialsFor`.
 * @param shared the members of every provider
 */
export function connectionUnion(title: string, shared: z.ZodRawShape) {
  return {
    title,
    discriminator: { propertyName: 'provider' },
    // Build the union only for the reference: it would slow the start of a server.
    get oneOf(): JsonSchema[] {
      return providers.map((provider) => memberOf(provider, shared))
    },
  }
}

function memberOf(provider: ProviderName, shared: z.ZodRawShape): JsonSchema {
  const schema = z.object({
    // Not z.literal: some generators ignore const, and need an enum.
    provider: z.enum([provider]).describe('The CRM. The sandbox simulates one.'),
    ...shared,
    ...(provider === 'sandbox' ? {} : { credentials: credentialsSchema(provider) }),
  })
  const name = provider[0]?.toUpperCase() + provider.slice(1)
  return toJsonSchema(schema.meta({ title: `Create${name}Connection` }), 'input')
}

function credentialsSchema(provider: Exclude<ProviderName, 'sandbox'>): z.ZodType {
  const kinds = credentialShapes[provider].map((shape, at) => {
    const members = Object.keys(shape).map((name) => [
      name,
      text({ min: 1 }).describe(described[name] ?? name),
    ])
    return z.object(Object.fromEntries(members)).meta({ title: titles[provider][at] })
  })
  const description = 'Crosswalk stores credentials sealed and never shows them.'
  const [only] = kinds
  return kinds.length === 1 && only
    ? only.describe(description)
    : z.union(kinds).meta({ title: 'SalesforceCredentials', description })
}
