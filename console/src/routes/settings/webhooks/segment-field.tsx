import { useQuery } from '@tanstack/react-query'
import { Select } from '../../../parts/field.tsx'
import { withChosen } from '../../../parts/with-chosen.ts'
import { segmentsQuery } from '../../../records/segments/segment-queries.ts'
import { Link } from '../../../routing/link.tsx'
import { useScope } from '../../../shell/scope.tsx'

/** What people call the records of a segment, which is also the path of their list. */
const nouns = { contact: 'people', company: 'companies', deal: 'deals' } as const

/** Chooses a segment: the endpoint gets only events of its records. Shows nothing while there is no segment. */
export function SegmentField({
  value,
  onChange,
  error,
}: {
  /** The empty text: all records. */
  value: string
  onChange: (segmentId: string) => void
  error: string | null
}) {
  const { data } = useQuery(segmentsQuery(useScope()))
  if (!data || (data.length === 0 && !value)) return null
  return (
    <Select
      label="Records"
      value={value}
      options={withChosen(
        [
          ['', 'All records'],
          ...data.map(({ segment_id, entity, name }) => [segment_id, `${name} (${nouns[entity]})`] as const),
        ],
        value,
        'A segment that you may not read',
      )}
      onChange={onChange}
      error={error}
      hint={value ? 'Only events of records that are in the segment when the event is sent.' : undefined}
    />
  )
}

/** The name of a segment, with a link to its records. */
export function SegmentName({ id }: { id: string }) {
  const scope = useScope()
  const { data } = useQuery(segmentsQuery(scope))
  const segment = data?.find(({ segment_id }) => segment_id === id)
  if (!segment) return <>a segment</>
  return (
    <Link
      className="link"
      to={`/o/$orgId/${nouns[segment.entity]}` as '/o/$orgId/people'}
      params={{ orgId: scope.orgId }}
      search={{ segment: id, ...(segment.entity === 'deal' && { view: 'list' }) }}
    >
      {segment.name}
    </Link>
  )
}
