import type { FastifyInstance } from 'fastify'
import { DomainError } from '../domain-error.ts'
import type { Endpoint, Method } from './endpoint.ts'

/** The methods of each path that has an endpoint. */
export function methodsByPath(endpoints: readonly Endpoint[]): Map<string, Set<Method>> {
  const methods = new Map<string, Set<Method>>()
  for (const { path, method } of endpoints) methods.set(path, (methods.get(path) ?? new Set()).add(method))
  return methods
}

/** `GET, POST`: what an Allow header says. */
export const allowOf = (methods: ReadonlySet<Method>): string => [...methods].sort().join(', ')

/**
 * Says what a path allows, for methods that no endpoint has: a route for each of the dozens that Node reads would be
 * most of what a server's start costs.
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
