/** The command for a method of the SDK: `crm connections sandbox-records list` for `crm.connections.sandboxRecords.list`. */
export const commandOf = (sdk: string): string =>
  sdk.replaceAll('.', ' ').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The flag for a parameter of the query or a field of the body, without its hyphens: `first-name` for `first_name`. */
export const flagOf = (name: string): string => name.replaceAll('_', '-')

/**
 * Verbs of commands that ask for a confirmation, because their effect cannot be undone: they erase, delete, push or
 * call.
 */
const askingVerbs = ['delete', 'erase', 'place', 'push', 'retry', 'revert', 'revoke', 'unlink']

/** Returns whether the command for a method of the SDK asks for a confirmation, or needs `--yes`. */
export const asksFirst = (sdk: string): boolean => askingVerbs.includes(sdk.slice(sdk.lastIndexOf('.') + 1))
