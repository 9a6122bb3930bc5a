import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/**
 * The only handle that crosses orgs. Only the server (authentication, jobs, regular tasks) and operator commands may
 * call this function.
 */
export function system(database: Database): Scope {
  return database.systemScope()
}
