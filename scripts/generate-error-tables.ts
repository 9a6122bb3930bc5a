// Writes the tables of all error codes into docs/reference/errors.md.
import { STATUS_CODES } from 'node:http'
import {
  type Explanation,
  errorCodes,
  kindOf,
  type RefusalCode,
  type RefusalKind,
  refusalCodes,
} from '../src/platform/error-codes/catalog.ts'
import { statuses } from '../src/platform/http/problem.ts'

const begin = '<!-- The tables come from src/platform/error-codes: npm run generate writes them. -->'
const end = '<!-- The end of the tables. -->'

export function withErrorTables(page: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error('The page lacks the comments that mark its tables')
  return `${before}${begin}\n\n${tables()}\n${end}${after}`
}

function tables(): string {
  const byStatus = Map.groupBy(refusalCodes, (code) => statuses[kindOf<RefusalKind>(code)])
  const sections = [...byStatus]
    .sort(([one], [other]) => one - other)
    .map(
      ([status, codes]) =>
        [
          `${status} ${STATUS_CODES[status]}`,
          Object.fromEntries(codes.map((code) => [code, explanationOf(code)])),
        ] as const,
    )
  const all = [...sections, ['In resources only', errorCodes.background] as const]
  return all.map(([title, codes]) => `### ${title}\n\n${table(codes)}`).join('\n')
}

const explanationOf = (code: RefusalCode): Explanation => {
  const codes: Readonly<Record<string, Explanation>> = errorCodes[kindOf(code)]
  const explanation = codes[code]
  if (!explanation) throw new Error(`${code} has no explanation`)
  return explanation
}

function table(codes: Readonly<Record<string, Explanation>>): string {
  const rows = Object.entries(codes).map(
    ([code, { cause, cure }]) => `| \`${code}\` | ${cause} | ${cure} |\n`,
  )
  return `| code | cause | cure |\n|---|---|---|\n${rows.join('')}`
}
