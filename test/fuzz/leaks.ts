import { projectRoot } from '../../src/platform/config.ts'
import { marker, secretMarker, type World } from './world.ts'

/**
 * Words of PostgreSQL, Node and Crosswalk's internals, which no answer may contain. No request contains them, so no
 * answer repeats them.
 */
const inside: readonly RegExp[] = [
  /syntax error at|at or near "|invalid input syntax|invalid byte sequence|violates [\w-]+ constraint/i,
  /duplicate key value|out of range for type|value too long for type|operator does not exist/i,
  /(relation|column|function|type|schema) "?[\w.]+"? does not exist|permission denied for|row-level security/i,
  /deadlock detected|canceling statement|current transaction is aborted|could not serialize|SQLSTATE/i,
  /\bselect [\w.,* ]+ from |insert into \w+ \(|\bupdate \w+ set \w+ =|\$\d+::/i,
  /\bat (async )?[\w.<>$]+ \(?[^\s]*:\d+:\d+/,
  /node_modules|node:internal|\.ts\b:\d|file:\/\/\/(home|work|usr|opt|root)|\/(home|root|tmp|work|usr|var|opt)\//,
  /\b(TypeError|RangeError|ReferenceError|SyntaxError|ZodError|PostgresError|DatabaseUnavailable)\b/,
  /Cannot read properties|is not a function|is not iterable|undefined is not|Maximum call stack/,
  /crosswalk_(app|system|template|test)|pgboss|(?<!was not reached: )ECONN\w+|ENOENT|EACCES|FST_ERR/,
]

export function findLeak(text: string, world: World): string | null {
  if (text.includes(marker)) return 'what belongs to another org'
  if (text.includes(secretMarker)) return 'a credential'
  if (world.tokens.some((token) => text.includes(token))) return 'the token of a key'
  if (text.includes(projectRoot)) return 'where the server is installed'
  const found = inside.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined)
  return found === undefined ? null : `words of the inside: ${found.slice(0, 80)}`
}

/** The forbidden text in a log. A log may contain errors but no personal data. */
export function leakInLog(text: string, world: World): string | null {
  if (text.includes(marker)) return 'what belongs to an org'
  if (text.includes(secretMarker)) return 'a credential'
  return world.tokens.some((token) => text.includes(token)) ? 'the token of a key' : null
}
