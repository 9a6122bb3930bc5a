import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { AuthenticationError, PermissionError } from '../../sdk/src/main.ts'
import { endpoints } from '../../src/api.ts'
import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { bodyFault } from '../support/answer-check.ts'
import { sharedTestApp } from '../support/app.ts'
import { parameterNamesOf } from '../support/path-kinds.ts'
import { exampleOf, type Params, unknownIds } from '../support/walk.ts'
import { walkedOrgs } from '../support/walked-orgs.ts'
import { clientOf, someKey } from './stub.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Answered = { data: unknown; response: Response; requestId: string | null }
type Method = (...args: unknown[]) => Promise<unknown> & { withResponse(): Promise<Answered> }

const methodOf = (client: object, { sdk }: Endpoint): Method =>
  sdk
    .split('.')
    .reduce((object: unknown, name) => (object as Record<string, unknown>)[name], client) as Method

function argumentsOf(endpoint: Endpoint, params: Params): unknown[] {
  const ids = parameterNamesOf(endpoint.path).map((name) => params[name])
  const example = exampleOf(endpoint, params)
  return example === undefined ? ids : [...ids, example]
}

/** Rebuilds the server's answer from the method's result. */
const sentFor = ({ shape }: Endpoint, data: unknown) =>
  shape === 'none' ? null : shape === 'data' ? { data, pagination: null } : data

const everyMethod = endpoints.map((endpoint): [string, Endpoint] => [endpoint.sdk, endpoint])
const walked = walkedOrgs(() => app.newAgency())
const withoutPermissions = clientOf(await app.newOrg({ key: { permissions: [] } }))
const stranger = clientOf({ address: app.address, token: someKey })

describe('every method of the SDK', () => {
  test.each(everyMethod)('%s returns what openapi.json documents', async (_name, endpoint) => {
    const { org, params } = await walked(endpoint)
    const asked = methodOf(clientOf(org, { maxRetries: 0 }), endpoint)(...argumentsOf(endpoint, params))
    const { data, response, requestId } = await asked.withResponse()
    expect(requestId).toBe(response.headers.get('x-request-id'))
    if (endpoint.shape === 'file') return expect(await text(data as never)).not.toBe('')
    expect(bodyFault(endpoint, sentFor(endpoint, data) ?? null)).toBeNull()
    if (endpoint.shape === 'page')
      expect(data).toMatchObject({ data: expect.any(Array), pagination: { page: 1 } })
  })

  test.each(everyMethod)('%s rejects with a typed error', async (_name, endpoint) => {
    const args = argumentsOf(endpoint, unknownIds(endpoint))
    const refused = methodOf(endpoint.permission === null ? stranger : withoutPermissions, endpoint)(...args)
    const [kind, status, code] =
      endpoint.permission === null
        ? ([AuthenticationError, 401, 'api_key_unknown'] as const)
        : ([PermissionError, 403, 'permission_missing'] as const)
    await expect(refused).rejects.toThrow(kind)
    await expect(refused).rejects.toMatchObject({ status, code, requestId: expect.any(String) })
  })
})
