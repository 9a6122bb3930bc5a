import { codeOf } from '../db/errors.ts'
import { sql } from '../db/sql.ts'
import type { SystemScope } from '../db/system.ts'
import { migrationFiles } from './migration-files.ts'

/** `outdated`: a migration of this version is missing, for example after an old backup was restored. */
export type SchemaState = 'up to date' | 'outdated'

const answerAgeMs = 1_000

/** Compares the schema of the database with the migrations of this version. */
export class SchemaCheck {
  readonly #scope: SystemScope
  readonly #names = migrationFiles()
  #asked: { at: number; state: Promise<SchemaState> } | null = null

  constructor(scope: SystemScope) {
    this.#scope = scope
  }

  /**
   * The answer may be 1 s old. Migrations of a later version do not matter.
   * @throws DatabaseUnavailable
   */
  async state(): Promise<SchemaState> {
    if (!this.#asked || performance.now() - this.#asked.at > answerAgeMs) {
      const asked = { at: performance.now(), state: this.#read() }
      this.#asked = asked
      asked.state.catch(() => {
        if (this.#asked === asked) this.#asked = null
      })
    }
    return this.#asked.state
  }

  async #read(): Promise<SchemaState> {
    try {
      const [row] = await this.#scope.readRows(sql<{ recorded: number }>`
        select count(*) as recorded from schema_migration where name = any (${this.#names})`)
      return row?.recorded === this.#names.length ? 'up to date' : 'outdated'
    } catch (error) {
      // The table is missing, or a schema that is too old does not let this role read it.
      if (['42P01', '42501'].includes(codeOf(error))) return 'outdated'
      throw error
    }
  }
}
