import { type Command, usageOf } from './command.ts'
import { commonFlags, type Flag } from './flag.ts'
import { padded, widthOf, wrapped } from './output/width.ts'

const widthMax = 100

/** Returns the help of one command. @param width the columns of the terminal */
export function commandHelp(command: Command, width: number): string {
  const { summary, description, flags = {}, examples = [], filters } = command
  const columns = Math.min(width, widthMax)
  const paragraphs = (description ?? '').split('\n\n').filter(Boolean)
  return [
    `${summary}.`,
    '',
    `Usage: ${usageOf(command)} [flags]`,
    ...paragraphs.flatMap((text) => ['', ...wrapped(text, columns)]),
    ...section('Flags', flagLines(flags, columns)),
    ...(filters
      ? [
          '',
          ...wrapped("More filters: '--<field>[<operator>]' <value>, and --custom.<key> <value>.", columns),
        ]
      : []),
    ...section('Flags of all commands', flagLines(commonFlags, columns)),
    ...section(
      'Examples',
      examples.map((example) => `  crosswalk ${example}`),
    ),
    '',
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', `${title}:`, ...lines] : []

/** A flag as the help shows it. */
export const flagText = (name: string, { value, short }: Flag): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`

function flagLines(flags: Readonly<Record<string, Flag>>, columns: number): string[] {
  const entries = Object.entries(flags).map(
    ([name, flag]) => [flagText(name, flag), aboutFlag(flag)] as const,
  )
  const left = Math.min(30, Math.max(0, ...entries.map(([text]) => widthOf(text))))
  return entries.flatMap(([text, about]) => {
    const lines = wrapped(about, Math.max(30, columns - left - 4))
    const rest = lines.map((line) => `${' '.repeat(left + 4)}${line}`)
    if (widthOf(text) > left) return [`  ${text}`, ...rest]
    return [`  ${padded(text, left)}  ${lines[0] ?? ''}`.trimEnd(), ...rest.slice(1)]
  })
}

/** Returns the description of a flag, with its values. */
export function aboutFlag({ text, choices = [], many }: Flag): string {
  const values = choices.length > 0 ? ` One of ${choices.join(', ')}.` : ''
  return `${text}${values}${many ? ' Can be repeated.' : ''}`.trim()
}

/** Returns the list of several commands, or of all. */
export function listHelp(commands: readonly Command[], width: number): string {
  const names = commands.map((command) => usageOf(command).slice('crosswalk '.length))
  const left = Math.min(40, Math.max(0, ...names.map(widthOf)))
  const lines = commands.flatMap(({ summary }, at) => {
    const name = names[at] ?? ''
    const about = wrapped(`${summary}.`, Math.max(30, Math.min(width, 120) - left - 4))
    const rest = about.map((line) => `${' '.repeat(left + 4)}${line}`)
    return widthOf(name) > left
      ? [`  ${name}`, ...rest]
      : [`  ${padded(name, left)}  ${about[0]}`, ...rest.slice(1)]
  })
  return `${lines.join('\n')}\n`
}
