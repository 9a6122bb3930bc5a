import type { FieldEntity } from '../../../../../sdk/src/generated/types.ts'
import { Select } from '../../../parts/field.tsx'
import { Note } from '../../../parts/note.tsx'
import { useScope } from '../../../shell/scope.tsx'

const idPattern = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g
const convertiblePattern = /convert (\d+) of (\d+)/

/** What happens to values that do not fit: the request is refused, or they are converted or kept. */
export type ExistingValues = 'refuse' | 'convert' | 'keep'

const paths: Record<FieldEntity, string> = { contact: '/people', company: '/companies', deal: '/deals' }

/** Says how many records have a value that does not fit a field, and links to some of them. */
export function UnfitValues({
  detail,
  entity,
  existing,
  onChoose,
}: {
  /** The text of the server: a number, and ids as examples. */
  detail: string
  entity: FieldEntity
  existing: ExistingValues
  onChoose: (existing: ExistingValues) => void
}) {
  const ids = detail.match(idPattern) ?? []
  const [what = detail] = detail.split(/: (?:such as )?[\da-f]{8}-/)
  const [, convertible = '0', all = '0'] = convertiblePattern.exec(detail) ?? []
  return (
    <Note kind="bad">
      <div className="stack">
        <p>{what}. Nothing was saved.</p>
        {ids.length > 0 && (
          <p>
            Change these values first: <RecordLinks {...{ entity, ids }} word="example" />
          </p>
        )}
        <Select<ExistingValues>
          label="These values"
          value={existing}
          options={[
            ['refuse', 'I change them first'],
            ['convert', `Convert ${convertible} of ${all}, and leave the others`],
            ['keep', 'Keep them until somebody writes them'],
          ]}
          onChange={onChoose}
        />
      </div>
    </Note>
  )
}

/** Links to records by their ids, such as “record 1, record 2”. */
export function RecordLinks({
  entity,
  ids,
  word,
}: {
  entity: FieldEntity
  ids: readonly string[]
  word: string
}) {
  const { orgId } = useScope()
  return ids.map((id, index) => (
    <a
      key={id}
      className="link"
      href={`/console/o/${orgId}${paths[entity]}/${id}`}
      target="_blank"
      rel="noreferrer"
    >
      {index === 0 ? '' : ', '}
      {word} {index + 1}
    </a>
  ))
}
