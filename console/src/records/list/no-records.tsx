import type { RecordFilter } from '../../../../sdk/src/generated/types.ts'
import { problemAt } from '../../api/problem.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Link } from '../../routing/link.tsx'
import { CurlCode } from '../../shell/curl-code.tsx'
import { useScope } from '../../shell/scope.tsx'
import { comparisonOf, conditionsOf, filterOf, isBroken } from '../filters/conditions.ts'
import { useNamedFields } from '../filters/use-named-fields.ts'
import { conditionWords, fieldOf } from '../filters/words.ts'
import type { RecordKind } from '../kinds.ts'
import type { ListSearch } from '../list-search.ts'
import type { RecordField } from '../record-field.ts'
import { seenWords } from '../seen-words.ts'
import { openSearch } from '../segments/shown-search.ts'
import { misfitOf } from './misfit.ts'

/** Shown if a list has no rows. It offers to remove the filters. Without filters, it says how to add records. */
export function NoRecords({
  kind,
  fields,
  search,
  onChange,
}: {
  kind: RecordKind
  fields: readonly RecordField[]
  search: ListSearch
  onChange: (next: ListSearch) => void
}) {
  const scope = useScope()
  const { orgId, can } = scope
  const conditions = conditionsOf(search.filter)
  const named = useNamedFields(fields, search.filter)
  const last = conditions.at(-1)
  if (last !== undefined || search.q !== undefined)
    return (
      <Empty icon="filter" title={`${kind.none} matches these filters`}>
        {conditions.some((condition) => comparesText(named, condition)) && (
          <p className="two">Capital letters matter in filters of texts. The search ignores them.</p>
        )}
        <div className="rail wrap">
          {last && (
            <Button onClick={() => onChange({ filter: filterOf(conditions.slice(0, -1)) })}>
              Remove “{conditionWords(named, last)}”
            </Button>
          )}
          <Button onClick={() => onChange(openSearch(null))}>Show all {kind.many}</Button>
        </div>
      </Empty>
    )
  if (search.archived)
    return (
      <Empty icon="archive" title={`${kind.none} is archived`}>
        <p className="two">An archived {kind.one} keeps its data, and can be restored from here.</p>
      </Empty>
    )
  const { resource } = kind
  const seen = seenWords(kind, scope)
  return (
    <Empty icon={kind.icon} title={`${kind.none} here yet`}>
      {seen && <p className="two">{seen}</p>}
      {resource !== 'deals' && can(`${resource}:write`) && (
        <Link {...buttonLook({})} to="/o/$orgId/imports/new" params={{ orgId }} search={{ of: resource }}>
          Import a file
        </Link>
      )}
      {can(`${resource}:write`) && (
        <>
          <p className="two">
            Programs send {kind.many} to the API{resource === 'deals' ? ':' : ', one by one or as a file:'}
          </p>
          <CurlCode label="A request with curl" path={`/${resource}`} method="POST" body={kind.example} />
        </>
      )}
    </Empty>
  )
}

/** Whether a condition compares the letters of a text. */
function comparesText(fields: readonly RecordField[], condition: RecordFilter): boolean {
  const comparison = comparisonOf(condition)
  if (!comparison || !['eq', 'in', 'starts_with'].includes(comparison.op)) return false
  return fieldOf(fields, comparison.field)?.type === 'text'
}

/** Shown if the address names a segment that was deleted. */
export const NoSegment = ({ kind, onAll }: { kind: RecordKind; onAll: () => void }) => (
  <Empty icon="filter" title="This segment does not exist any more">
    <Button onClick={onAll}>Show all {kind.many}</Button>
  </Empty>
)

/** Shown if the address has a filter that cannot be read or that the API refuses, or an order that does not exist. */
export function BadLink({
  kind,
  search,
  error,
  onChange,
}: {
  kind: RecordKind
  search: ListSearch
  error: unknown
  onChange: (next: ListSearch) => void
}) {
  const showAll = <Button onClick={() => onChange(openSearch(null))}>Show all {kind.many}</Button>
  if (isBroken(search.filter))
    return (
      <Empty icon="filter" title="The filter in this link could not be read">
        <p className="two">The link may be cut off. Ask for the whole link, or show all {kind.many}.</p>
        {showAll}
      </Empty>
    )
  if (misfitOf(error) === 'filter')
    return (
      <Empty icon="filter" title="A filter cannot be used">
        <p className="two">
          {problemAt(error, 'filter')} Remove the filter, or show all {kind.many}.
        </p>
        {showAll}
      </Empty>
    )
  return (
    <Empty icon="filter" title="The order in this link does not exist">
      <p className="two">
        The {kind.many} cannot be sorted by “{search.sort?.replace(/^-/, '')}”.
      </p>
      <Button onClick={() => onChange({ sort: undefined })}>Show the newest first</Button>
    </Empty>
  )
}
