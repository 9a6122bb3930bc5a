import type { Command } from '../command.ts'
import { readConfig } from '../config/config-file.ts'
import { commandNames, findCommand } from '../find-command.ts'
import { commonFlags, type Flag } from '../flag.ts'
import type { Io } from '../io.ts'

/**
 * The possible last words of a command line, found without the network.
 * @param typed the words after `crosswalk`; the last one is incomplete, and may be empty
 */
export async function completions(typed: readonly string[], io: Io): Promise<string[]> {
  const current = typed.at(-1) ?? ''
  const before = typed.slice(0, -1)
  const fits = (word: string) => word.startsWith(current)
  const command = await findCommand(before).then(
    (found) => found.command,
    () => null,
  )
  const flags = { ...commonFlags, ...command?.flags }
  const flag =
    flags[(before.at(-1) ?? '').replace(/^--/, '')] ?? (before.at(-1) === '-o' ? flags.output : undefined)
  if (flag?.value !== undefined && before.at(-1)?.startsWith('-'))
    return valuesOf(flag, before, io).filter(fits)
  if (current.startsWith('-'))
    return command
      ? Object.keys(flags)
          .map((name) => `--${name}`)
          .filter(fits)
          .sort()
      : []
  const next = await nextWords(before)
  return [...(next.length > 0 ? next : argumentsOf(command, before, io))].filter(fits)
}

function valuesOf(flag: Flag, before: readonly string[], io: Io): string[] {
  return before.at(-1) === '--profile' ? profileNames(io) : [...(flag.choices ?? [])]
}

/** The next words of the commands that begin with the typed words. */
async function nextWords(before: readonly string[]): Promise<string[]> {
  const words = before.filter((word) => !word.startsWith('-'))
  const start = words.map((word) => `${word} `).join('')
  const names = (await commandNames()).filter((name) => name.startsWith(start))
  return [...new Set(names.map((name) => name.slice(start.length).split(' ')[0] ?? ''))].filter(Boolean)
}

/** The choices of an argument such as `<bash|zsh|fish>`, and the names of profiles. */
function argumentsOf(command: Command | null, before: readonly string[], io: Io): string[] {
  if (!command) return []
  const given = before.filter((word) => !word.startsWith('-')).length - command.name.split(' ').length
  const argument = (command.args[given] ?? '').replaceAll(/[<>[\]]/g, '')
  if (argument === 'profile') return profileNames(io)
  return argument.includes('|') ? argument.split('|') : []
}

function profileNames(io: Io): string[] {
  try {
    return Object.keys(readConfig(io).profiles)
  } catch {
    return []
  }
}
