import type { Command } from './command.ts'
import { UsageError } from './exit.ts'
import { handWritten } from './hand-written.ts'
import { nearest } from './nearest.ts'
import type { Operation } from './operations/operation.ts'

export type FoundCommand = { command: Command; operation: Operation | null; rest: string[] }

const generated = async (): Promise<readonly Operation[]> =>
  (await import('./generated/operations.ts')).operations

/** The words of an argument list before the first flag. */
export const wordsOf = (argv: readonly string[]): string[] => {
  const at = argv.findIndex((word) => word.startsWith('-'))
  return argv.slice(0, at < 0 ? argv.length : at)
}

const isBeginning = (name: string, words: readonly string[]): boolean =>
  name.split(' ').every((word, at) => words[at] === word)

/** @throws UsageError with the nearest command if there is no such command */
export async function findCommand(argv: readonly string[]): Promise<FoundCommand> {
  const words = wordsOf(argv)
  for (const [name, load] of handWritten)
    if (isBeginning(name, words))
      return { command: await load(), operation: null, rest: argv.slice(name.split(' ').length) }
  const operation = (await generated()).find(({ command }) => isBeginning(command, words))
  if (!operation) throw await unknown(words)
  const { commandOf } = await import('./operations/command-of.ts')
  return { command: commandOf(operation), operation, rest: argv.slice(operation.command.split(' ').length) }
}

/** Returns the names of all commands. */
export async function commandNames(): Promise<string[]> {
  return [...handWritten.keys(), ...(await generated()).map(({ command }) => command)].sort()
}

/** All commands whose first words are `words`. */
export async function commandsBelow(words: readonly string[]): Promise<Command[]> {
  const start = words.map((word) => `${word} `).join('')
  const isBelow = (name: string) => `${name} `.startsWith(start)
  const { commandOf } = await import('./operations/command-of.ts')
  const written = [...handWritten].filter(([name]) => isBelow(name)).map(([, load]) => load())
  const operations = (await generated()).filter(({ command }) => isBelow(command)).map(commandOf)
  return [...(await Promise.all(written)), ...operations].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
}

async function unknown(words: readonly string[]): Promise<UsageError> {
  const names = await commandNames()
  const typed = words.join(' ')
  const below = names.filter((name) => name.startsWith(`${typed} `))
  if (words.length > 0 && below.length > 0)
    return new UsageError(`"${typed}" is only the beginning of a command:\n${listed(below)}`)
  if (words.length === 0) return new UsageError('The command is missing.\nAll commands: crosswalk help')
  return new UsageError(
    `There is no command "${typed}".${nearText(words, names)}\nAll commands: crosswalk help`,
  )
}

/**
 * Suggests the commands that end with the typed words (`calls list`: `voice calls list`), or else corrects word after
 * word. After a word without a similar one, it suggests all commands that begin with the words before it: `contacts
 * delete` must not suggest `contacts create`.
 */
function nearText(words: readonly string[], names: readonly string[]): string {
  for (let count = words.length; count > 1; count--) {
    const end = words.slice(0, count).join(' ')
    const longer = names.filter((name) => name.endsWith(` ${end}`) || name.endsWith(`-${end}`))
    if (longer.length > 0) return suggested(longer)
  }
  let start = ''
  for (const [at, word] of words.entries()) {
    const below = names.filter((name) => name.startsWith(start))
    const near = nearest(word, [...new Set(below.flatMap((name) => name.split(' ')[at] ?? []))])
    if (near === null) return start === '' ? '' : suggested(below)
    if (names.includes(start + near)) return suggested([start + near])
    start += `${near} `
  }
  return suggested(names.filter((name) => name.startsWith(start)))
}

const suggested = (names: readonly string[]): string =>
  names.length === 1 ? ` Did you mean: crosswalk ${names[0]}` : ` Did you mean:\n${listed(names)}`

const listed = (names: readonly string[]): string => names.map((name) => `  crosswalk ${name}`).join('\n')
