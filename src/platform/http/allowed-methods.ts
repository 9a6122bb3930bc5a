import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Endpoint, Method } from './endpoint.ts'

/** The methods that have routes. OPTIONS has none: `allowedMethods` answers it. */
export type RoutedMethod = Method | 'HEAD' | 'QUERY'

/** The methods with which an endpoint is asked: HEAD reads what GET reads. */
export const methodsOf = ({ method }: Pick<Endpoint, 'method'>): RoutedMethod[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The methods of each path that has an endpoint. */
export function methodsByPath(endpoints: readonly Endpoint[]): Map<string, Set<RoutedMethod>> {
  const methods = new Map<string, Set<RoutedMethod>>()
  for (const endpoint of endpoints) {
    const known = methods.get(endpoint.path) ?? new Set()
    methods.set(endpoint.path, known.union(new Set(methodsOf(endpoint))))
    const { alsoQuery } = endpoint
    if (alsoQuery) methods.set(alsoQuery, new Set([...(methods.get(alsoQuery) ?? []), 'QUERY']))
  }
  return methods
}

/** The text of an Allow header: `GET, HEAD, OPTIONS, POST`. */
export const allowOf = (methods: ReadonlySet<RoutedMethod>): string =>
  [...methods, 'OPTIONS'].sort().join(', ')

/**
 * Says what a path allows, for OPTIONS and for methods that no endpoint has. A route for each of the dozens of methods that
 * Node.js reads would be most of the cost of a server's start.
 * @returns the Allow header of an address without its version prefix; null if no endpoint has that path
 */
export function allowedMethods(endpoints: readonly Endpoint[]): (url: string) => string | null {
  // In their order `{` comes last: /deals/stages is met before /deals/{deal_id}, as in the router.
  const known = [...methodsByPath(endpoints)].sort(([one], [other]) => (one < other ? -1 : 1))
  const allowed = known.map(([path, methods]) => ({
    path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    allow: allowOf(methods),
  }))
  return (url) => {
    const path = decodeURI(url.replace(/[?#].*$/s, ''))
    return allowed.find((each) => each.path.test(path))?.allow ?? null
  }
}

/** Answers each method but POST of a public route with 405, before its body is read. It shows nothing of the address. */
export function allowPostAlone(server: FastifyInstance, url: string): void {
  server.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    config: { public: true },
    onRequest: (_request, _reply, done) => done(methodNotAllowed('POST') as never),
    handler: () => {},
  })
}

/** @param allow the methods that the address has, for its Allow header */
export const methodNotAllowed = (allow: string): DomainError =>
  new DomainError('method_not_allowed', 'Method Not Allowed', { headers: { allow } })
