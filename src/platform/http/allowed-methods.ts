import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Endpoint, Method } from './endpoint.ts'

export type RoutedMethod = Method | 'HEAD' | 'QUERY'

/** The methods that an endpoint answers. Every endpoint with GET also answers HEAD. */
export const methodsOf = ({ method }: Pick<Endpoint, 'method'>): RoutedMethod[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

/** The methods that the endpoints of each path answer. */
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
 * Finds the Allow header of a path, for OPTIONS and for methods without an endpoint. Routes for each of Node's
 * methods would slow the start.
 * @returns a function that gives null if no endpoint has the path
 */
export function allowedMethods(endpoints: readonly Endpoint[]): (url: string) => string | null {
  // `{` sorts last, so /deals/stages is compared before /deals/{deal_id}, as in the router.
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

/**
 * Answers every method except POST of a public route with 405, before the body is read. The answer does not repeat
 * the address.
 */
export function allowOnlyPost(server: FastifyInstance, url: string): void {
  server.route({
    method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    config: { public: true },
    onRequest: (_request, _reply, done) => done(methodNotAllowed('POST') as never),
    handler: () => {},
  })
}

/**
 * @param allow the Allow header of the address
 * @param nearest another path that the client may have meant
 */
export function methodNotAllowed(allow: string, nearest?: string): DomainError {
  const hint = nearest === undefined ? '' : `. The nearest path is ${nearest}`
  return new DomainError('method_not_allowed', `Method Not Allowed. This path has ${allow}${hint}`, {
    headers: { allow },
  })
}
