import type { Context } from './context.ts'
import type { Flag, ParsedArguments } from './flag.ts'

export type Command = {
  /** The words that call the command, such as `contacts list`. */
  name: string
  /** The arguments in the form of the help: `<name>`, or `[name]` if it is optional. */
  args: readonly string[]
  summary: string
  /** More paragraphs for the help and the reference. */
  description?: string
  flags?: Readonly<Record<string, Flag>>
  /** Whether flags such as `--version[gt]` and `--custom.plan` filter by a field. */
  filters?: boolean
  /** Everything after the name is an argument, even a flag. */
  isOpen?: true
  /** Examples for the help, without `crosswalk`. */
  examples?: readonly string[]
  /**
   * What the command prints, so that `--columns` can be checked: the answers of these operations (by their names in the
   * SDK), and these fields.
   */
  prints?: { operations?: readonly string[]; members?: readonly string[] }
  /** Returns the exit code; undefined: 0. */
  run(context: Context, given: ParsedArguments): Promise<number | undefined>
}

/** The usage line of a command, such as `contacts get <contact_id> [flags]`. */
export const usageOf = ({ name, args }: Pick<Command, 'name' | 'args'>): string =>
  ['crosswalk', name, ...args].join(' ')
