import type { Database } from './database.ts'
import type { Scope } from './scope.ts'

export type { Scope as SystemScope } from './scope.ts'

/** The one handle that crosses orgs. Authentication, jobs and operator commands may import this file; nothing else. */
export function system(database: Database): Scope {
  return database.systemScope()
}
