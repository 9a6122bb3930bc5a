import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/**
 * Returns the only handle that crosses orgs. Only the server (for authentication, jobs and chores) and operator
 * commands may call this.
 */
export function system(database: Database): Scope {
  return database.systemScope()
}
