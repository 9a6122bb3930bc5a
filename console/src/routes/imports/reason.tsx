import type { Import, RefusedRow } from '../../../../sdk/src/generated/types.ts'
import { useRecordNames } from '../../records/use-record-names.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { kindOf } from './import-words.ts'

const idPattern = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g

/** The codes of refusals whose reasons name stored records by their ids. */
const namesRecords: readonly string[] = ['ambiguous_match', 'value_taken', 'record_exists']

const idsOf = ({ code, reason }: RefusedRow): string[] =>
  namesRecords.includes(code) ? (reason.match(idPattern) ?? []) : []

/** The names of the records that the reasons of rows name by their ids. */
export const useReasonNames = (found: Import, rows: readonly RefusedRow[]): ReadonlyMap<string, string> =>
  useRecordNames(kindOf(found), rows.flatMap(idsOf))

/** Why a row was refused. Records are links with names, instead of ids. */
export function Reason({
  found,
  row,
  names,
}: {
  found: Import
  row: RefusedRow
  names: ReadonlyMap<string, string>
}) {
  const { orgId } = useScope()
  const kind = kindOf(found)
  const link = (id: string) => (
    <Link
      key={id}
      className="link"
      to={`/o/$orgId${kind.path}/$recordId` as '/o/$orgId/people/$recordId'}
      params={{ orgId, recordId: id }}
    >
      {names.get(id) ?? `this ${kind.one}`}
    </Link>
  )
  const ids = idsOf(row)
  const [first] = ids
  if (row.code === 'record_exists' && first)
    return (
      <>
        {link(first)} is here already. To update {kind.many} with this file, choose “Update by Crosswalk id”
        in the step Columns.
      </>
    )
  const texts = ids.length > 0 ? sentence(row.reason).split(idPattern) : [sentence(row.reason)]
  return <>{texts.flatMap((text, index) => [text, ids[index] ? link(ids[index]) : null])}</>
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
