import type { Endpoint } from '../../src/platform/http/endpoint.ts'
import { parameterNamesOf } from './path-kinds.ts'
import { isEverything } from './runs.ts'
import { everyEndpoint } from './walk.ts'

/** What the code in front of handlers reads of an endpoint, without names. */
const kindOf = ({ method, path, permission, body, query, headers, ...rest }: Endpoint): string =>
  JSON.stringify([
    ...[method, parameterNamesOf(path).length, permission === null, body !== undefined, query !== undefined],
    ...[Object.keys(headers?.shape ?? {}), rest.streams, rest.bodyLimit, rest.shape, rest.effect],
    ...[rest.isLong, rest.needsAllRecords, rest.audience, rest.expectedBody !== undefined],
    ...[rest.misplaced !== undefined, rest.alsoQuery !== undefined, rest.staging !== undefined],
  ])

/**
 * One endpoint of each kind, for refusals that no handler makes. With `npm run test:properties`, every endpoint.
 */
export const typicalEndpoints: ReadonlySet<Endpoint> = new Set(
  isEverything
    ? everyEndpoint.map(([, endpoint]) => endpoint)
    : new Map(everyEndpoint.map(([, endpoint]) => [kindOf(endpoint), endpoint])).values(),
)
