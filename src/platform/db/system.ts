import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/**
 * Returns the only handle that crosses orgs. The server makes one for authentication, jobs and chores. Operator
 * commands make one too. No other code may call this.
 */
export function system(database: Database): Scope {
  return database.systemScope()
}
