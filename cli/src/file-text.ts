import { readFileSync } from 'node:fs'
import { UsageError } from './exit.ts'

/** Returns the text of a file that a flag names. @throws UsageError if it is unreadable */
export function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file ${path} is unreadable: ${(error as Error).message}`)
  }
}
