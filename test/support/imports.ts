import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** An import of one file by another. The paths are relative to the root. */
export type Import = { from: string; to: string; typeOnly: boolean }

/** The TypeScript files below a folder, by their path in it. */
export const filesBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))

/** What a file imports from the same project, with types. */
export function importsOf(from: string, root = 'src'): Import[] {
  const statement = /(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'/g
  return [...readFileSync(join(root, from), 'utf8').matchAll(statement)].map(
    ([, typeOnly, path, dynamic]) => ({
      from,
      to: normalize(join(dirname(from), path ?? dynamic!)),
      typeOnly: typeOnly !== undefined,
    }),
  )
}
