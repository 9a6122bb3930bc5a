import { flagsLast } from '../arguments.ts'
import type { Command } from '../command.ts'
import { readConfig } from '../config/config-file.ts'
import { commandNames, findCommand, wordsOf } from '../find-command.ts'
import { commonFlags, type Flag } from '../flag.ts'
import type { Io } from '../io.ts'

/**
 * The possible last words of a command line, found without the network.
 * @param typed the words after `crosswalk`; the last one is incomplete, and may be empty
 */
export async function completions(typed: readonly string[], io: Io): Promise<string[]> {
  const { words, current, prefix } = split(typed)
  const before = flagsLast(words)
  const command = await findCommand(before).then(
    (found) => found.command,
    () => null,
  )
  const flags = { ...commonFlags, ...command?.flags }
  const last = words.at(-1) ?? ''
  const flag = flagNamed(last, flags)
  const fits = (word: string) => word.startsWith(current)
  if (flag?.value !== undefined)
    return (last === '--profile' ? profileNames(io) : [...(flag.choices ?? [])])
      .filter(fits)
      .map((value) => prefix + value)
  if (current.startsWith('-'))
    return command
      ? Object.keys(flags)
          .map((name) => `--${name}`)
          .filter(fits)
          .sort()
      : []
  const next = await nextWords(wordsOf(before))
  return (next.length > 0 ? next : argumentsOf(command, plainWords(before, flags), io)).filter(fits)
}

type Typed = {
  words: readonly string[]
  /** The incomplete word, or the value in `--flag=value`. */
  current: string
  /** The part of the same word before `current`, such as `--flag=`. */
  prefix: string
}

function split(typed: readonly string[]): Typed {
  const [words, current] = [typed.slice(0, -1), typed.at(-1) ?? '']
  // Bash makes three words of `--flag=value`.
  if (current === '=') return { words, current: '', prefix: '' }
  if (words.at(-1) === '=') return { words: words.slice(0, -1), current, prefix: '' }
  const [, flag, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  if (flag === undefined) return { words, current, prefix: '' }
  return { words: [...words, flag], current: value, prefix: `${flag}=` }
}

type Flags = Readonly<Record<string, Flag>>

const flagNamed = (word: string, flags: Flags): Flag | undefined =>
  word === '-o' ? flags.output : word.startsWith('--') ? flags[word.slice(2)] : undefined

/** The words that are neither flags nor values of flags. */
const plainWords = (words: readonly string[], flags: Flags): string[] =>
  words.filter(
    (word, at) => !word.startsWith('-') && flagNamed(words[at - 1] ?? '', flags)?.value === undefined,
  )

/** Returns the words that follow in the names of commands. */
async function nextWords(words: readonly string[]): Promise<string[]> {
  const start = words.map((word) => `${word} `).join('')
  const names = (await commandNames()).filter((name) => name.startsWith(start))
  return [...new Set(names.map((name) => name.slice(start.length).split(' ')[0] ?? ''))].filter(Boolean)
}

/** Returns the choices of an argument such as `<bash|zsh|fish>`, and the names of profiles. */
function argumentsOf(command: Command | null, words: readonly string[], io: Io): string[] {
  if (!command) return []
  const given = words.length - command.name.split(' ').length
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
