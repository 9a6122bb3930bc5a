import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import type { TestOrg } from './app.ts'
import { makeOnce } from './make-once.ts'
import { makeParams, type Params } from './walk.ts'

export type Walked = { org: TestOrg; params: Params }

/** Whether the example of an endpoint changes nothing. */
const onlyReads = ({ method, effect }: Endpoint) => method === 'GET' || effect === 'none'
/** Whether the example changes only the objects that its path names, or only adds one. A call needs the only number. */
const isContained = ({ path, status, effect }: Endpoint) =>
  effect !== 'outside' && (status === 201 || path.includes('{'))

/**
 * Returns a function that makes an organization and ids for the example of an endpoint. Examples that only read share an
 * organization and its objects. Those of a round that change only the objects of their path share another one. Each of
 * the others gets its own.
 */
export function walkedOrgs(
  newOrg: () => Promise<TestOrg>,
): (endpoint: Endpoint, round?: string) => Promise<Walked> {
  const orgs = new Map<string, Promise<TestOrg>>()
  const shared = (key: string) => {
    const org = orgs.get(key) ?? newOrg()
    orgs.set(key, org)
    return org
  }
  const make = makeOnce()
  return async (endpoint, round = 'once') => {
    if (onlyReads(endpoint)) {
      const org = await shared('readers')
      return { org, params: await makeParams(endpoint, org, make) }
    }
    const org = await (isContained(endpoint) ? shared(round) : newOrg())
    return { org, params: await makeParams(endpoint, org) }
  }
}
