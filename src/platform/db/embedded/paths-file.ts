import * as fs from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { makeFile, replaceFile } from '../../files.ts'
import { EmbeddedPostgresFault } from './faults.ts'

/** The content of `DATA_DIR/postgres.json`: the paths of the database and its socket, relative if inside DATA_DIR. */
export type DatabasePaths = { home?: string; socketDir?: string }

/** Reads `postgres.json` of a DATA_DIR; `{}` if there is none. */
export function readPathsFile(dataDir: string): DatabasePaths {
  const path = join(dataDir, 'postgres.json')
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as DatabasePaths
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    if (!(error instanceof SyntaxError)) throw error
    throw new EmbeddedPostgresFault(
      `${path} is damaged: delete it if the database is in ${dataDir}/postgres, or restore it from a backup.`,
    )
  }
}

/** Writes `postgres.json`. With `new`, an existing file is not replaced, and the result is false. */
export function writePathsFile(dataDir: string, pointer: DatabasePaths, how: 'new' | 'replace'): boolean {
  const path = join(dataDir, 'postgres.json')
  const content = `${JSON.stringify(pointer, (_key, value) => relativeInside(dataDir, value), 2)}\n`
  if (how === 'new') return makeFile(path, content)
  if (!fs.existsSync(path) || fs.readFileSync(path, 'utf8') !== content) replaceFile(path, content)
  return true
}

function relativeInside(dataDir: string, value: unknown): unknown {
  if (typeof value !== 'string' || !isAbsolute(value)) return value
  const path = relative(dataDir, value)
  return path.startsWith('..') ? value : path
}
