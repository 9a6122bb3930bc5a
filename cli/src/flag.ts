/** A flag such as `--all`, or `--name <text>` with the word in the brackets as `value`. */
export type Flag = {
  value?: string
  /** The flag can be repeated. */
  many?: true
  short?: string
  choices?: readonly string[]
  required?: true
  /** The place in the request that the flag sets, if the flag has another name, such as `filter.tag`. */
  sets?: string
  text: string
}

export type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

export type ParsedArguments = { args: string[]; values: Values }

/** The flags of all commands. */
export const commonFlags: Readonly<Record<string, Flag>> = {
  output: {
    value: 'format',
    short: 'o',
    choices: ['table', 'json', 'jsonl', 'csv', 'id'],
    text: 'The format of the result: table on a terminal, otherwise json.',
  },
  columns: { value: 'names', text: 'Only these fields in tables and CSV, with commas between them.' },
  profile: { value: 'name', text: 'The profile to use. `crosswalk profiles` lists them.' },
  'base-url': { value: 'address', text: 'The address of Crosswalk, instead of the address in the profile.' },
  'target-org': { value: 'org_id', text: 'For agency keys: the client to act on.' },
  yes: { short: 'y', text: 'Answers yes to the confirmation.' },
  verbose: { text: 'Shows each request on standard error, without the API key.' },
  help: { short: 'h', text: 'Shows the help of the command.' },
}
