import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CrmItemOutcome, CrmJob, CrmJobItem } from '../../../../sdk/src/generated/types.ts'
import { Segments } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { Section, SectionBody } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { Table } from '../../parts/table.tsx'
import { people } from '../../records/kinds.ts'
import { useRecordNames } from '../../records/use-record-names.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './job-page.module.css'
import { isUnfinished, outcomeWords } from './words.ts'

type Shown = CrmItemOutcome | 'all'

const offered: readonly (readonly [Shown, string])[] = [
  ['failed', 'Failed'],
  ['skipped', 'Left out'],
  ['created', 'Created'],
  ['updated', 'Updated'],
  ['all', 'All'],
]

const answerNames: Partial<Record<Shown, string>> = { failed: 'Why', skipped: 'Why' }

/** A phone shows the outcome, or the answer of the CRM if all people have the same outcome. */
const columnsOf = (shown: Shown) => [
  { name: 'Person', phoneWidth: 130 },
  { name: 'Outcome', width: 190, optional: shown !== 'all' },
  { name: answerNames[shown] ?? 'Id in the CRM', optional: shown === 'all' },
]

/** The people of a push. People whom the CRM refused come first, with the text of the CRM. */
export function JobPeople({ job }: { job: CrmJob }) {
  const { orgId, api } = useScope()
  const { job_id: jobId, counts } = job
  const [chosen, setChosen] = useState<Shown | null>(null)
  const shown = chosen ?? (counts.failed > 0 ? 'failed' : counts.skipped > 0 ? 'skipped' : 'all')
  const items = useInfiniteQuery({
    // The numbers of the job change when there are new results.
    queryKey: ['crm-job-items', orgId, jobId, shown, counts],
    queryFn: ({ pageParam, signal }) =>
      api.crm.jobs.items.list(
        jobId,
        { limit: 100, ...(shown !== 'all' && { outcome: shown }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
  })
  const words = shown === 'all' ? '' : `${outcomeWords[shown]} `
  return (
    <Section
      title="People"
      act={<Segments label="Outcome" isLabelHidden value={shown} options={offered} onChange={setChosen} />}
    >
      <Loaded query={items}>
        {({ pages }) => {
          const found = pages.flatMap(({ data }) => data)
          if (found.length === 0)
            return (
              <SectionBody>
                <p className="two">
                  {isUnfinished(job) ? 'Nobody so far.' : `This push has no ${words}people.`}
                </p>
              </SectionBody>
            )
          return (
            <>
              <Items items={found} shown={shown} />
              <NextPageButton query={items} act="Show more people" end="There are no more people." />
            </>
          )
        }}
      </Loaded>
    </Section>
  )
}

function Items({ items, shown }: { items: readonly CrmJobItem[]; shown: Shown }) {
  const { orgId } = useScope()
  const names = useRecordNames(
    people,
    items.map(({ contact_id }) => contact_id),
  )
  return (
    <Table label="People" columns={columnsOf(shown)}>
      {items.map(({ contact_id, outcome, external_id, error }) => (
        <tr key={contact_id}>
          <th scope="row">
            <Link
              className="cut link"
              to="/o/$orgId/people/$recordId"
              params={{ orgId, recordId: contact_id }}
            >
              {names.get(contact_id) ?? contact_id}
            </Link>
          </th>
          <td className={shown === 'all' ? undefined : 'opt'}>
            <Outcome outcome={outcome} hasError={error !== null} />
          </td>
          <td className={`${styles.why} ${shown === 'all' ? 'opt' : ''}`}>
            {error?.message ??
              (external_id === null ? (
                <span className="three">–</span>
              ) : (
                <span className="three mono">{external_id}</span>
              ))}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const kinds = { created: 'ok', updated: 'ok', unchanged: 'off', skipped: 'off', failed: 'bad' } as const

const Outcome = ({ outcome, hasError }: { outcome: CrmItemOutcome | null; hasError: boolean }) =>
  outcome ? (
    <State kind={kinds[outcome]}>{outcomeWords[outcome]}</State>
  ) : (
    <State kind={hasError ? 'warn' : 'run'}>{hasError ? 'will be tried again' : 'waiting'}</State>
  )
