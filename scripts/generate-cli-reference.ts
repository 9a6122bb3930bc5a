// Writes the lists of commands into docs/reference/cli.md.
import type { Command } from '../cli/src/command.ts'
import { commandsBelow } from '../cli/src/find-command.ts'
import { commonFlags, type Flag } from '../cli/src/flag.ts'
import { handWritten } from '../cli/src/hand-written.ts'
import { aboutFlag, flagText } from '../cli/src/help.ts'

const mark = '<!-- npm run generate writes the rest of this page. -->'

export async function withCliReference(page: string): Promise<string> {
  const [before, rest] = page.split(mark)
  if (before === undefined || rest === undefined) throw new Error('The page has lost the mark of its lists')
  return `${before}${mark}\n\n${await lists()}`
}

async function lists(): Promise<string> {
  const own = await Promise.all([...handWritten.values()].map((load) => load()))
  const generated = (await commandsBelow([])).filter(({ name }) => !handWritten.has(name))
  const byResource = Map.groupBy(generated, ({ name }) => name.split(' ')[0] ?? '')
  return [
    '## Flags of all commands',
    flagTable(commonFlags),
    '## Commands',
    ...own.map(section),
    '## Operations of the API',
    'Each operation has a command. `--help` shows its flags, and the interactive reference at `/docs` shows an example.',
    ...[...byResource].flatMap(([resource, commands]) => [`### ${resource}`, summaryTable(commands)]),
  ]
    .join('\n\n')
    .concat('\n')
}

function section(command: Command): string {
  const { name, args, summary, description, flags, examples = [] } = command
  return [
    `### ${name}`,
    `\`crosswalk ${[name, ...args].join(' ')}\``,
    `${summary}.${description ? ` ${description}` : ''}`,
    ...(flags && Object.keys(flags).length > 0 ? [flagTable(flags)] : []),
    ...(examples.length > 0
      ? [`Examples:\n\n${examples.map((text) => `- \`crosswalk ${text}\``).join('\n')}`]
      : []),
  ].join('\n\n')
}

function flagTable(flags: Readonly<Record<string, Flag>>): string {
  const rows = Object.entries(flags).map(([name, flag]) =>
    row([`\`${flagText(name, flag)}\``, aboutFlag(flag)]),
  )
  return ['| flag | effect |', '|---|---|', ...rows].join('\n')
}

function summaryTable(commands: readonly Command[]): string {
  const rows = commands.map(({ name, args, summary }) =>
    row([`\`crosswalk ${[name, ...args].join(' ')}\``, summary]),
  )
  return ['| command | effect |', '|---|---|', ...rows].join('\n')
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
