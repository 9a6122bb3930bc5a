import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/**
 * The one handle that crosses orgs. The server makes one for authentication, jobs and chores, and operator commands have
 * one; nothing else may call this.
 */
export function system(database: Database): Scope {
  return database.systemScope()
}
