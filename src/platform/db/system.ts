import type { Database } from './database.ts'
import type { Scope, ScopeOptions } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/**
 * The only handle that crosses orgs. Only the server (authentication, jobs, regular tasks) and operator commands may
 * call this function.
 * @param limit limits the connections that the work uses
 */
export function system(database: Database, limit?: ScopeOptions['limit']): Scope {
  return database.systemScope(limit)
}
