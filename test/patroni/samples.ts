import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/platform/config.ts'
import { pageNamed } from '../support/markdown.ts'

/** Pairs of a text of the samples and its replacement. */
export type Replacements = [text: string, replacement: string][]

/**
 * A file of deploy/patroni/, with the addresses, paths and passwords of this test.
 * @throws Error if the file lacks a text
 */
export const sample = (file: string, replacements: Replacements): string =>
  replaced(readFileSync(join(projectRoot, 'deploy/patroni', file), 'utf8'), replacements)

/** The command of docs/operating/patroni.md that contains `part`. */
export function guideCommand(part: string, replacements: Replacements): string {
  const blocks = pageNamed('docs/operating/patroni.md').blocks.filter(({ language }) => language === 'sh')
  const found = blocks.find(({ text }) => text.includes(part))
  if (!found) throw new Error(`docs/operating/patroni.md has no command with ${part}`)
  return replaced(found.text, replacements)
}

function replaced(text: string, replacements: Replacements): string {
  return replacements.reduce((rest, [one, replacement]) => {
    if (!rest.includes(one)) throw new Error(`There is no "${one}" in:\n${rest}`)
    return rest.replaceAll(one, replacement)
  }, text)
}
