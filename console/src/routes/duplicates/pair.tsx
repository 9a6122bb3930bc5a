import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Merge } from '../../../../sdk/src/generated/types.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { duplicateSettingsQuery } from '../../queries/duplicate-settings.ts'
import { nameWords } from '../../records/duplicate-words.ts'
import { companies, fieldValue, idOf, type RecordKind, type ShownRecord } from '../../records/kinds.ts'
import { useFields } from '../../records/use-fields.ts'
import { useRecordNames } from '../../records/use-record-names.ts'
import { Link } from '../../routing/link.tsx'
import { useScope } from '../../shell/scope.tsx'
import { useKey } from '../../shell/use-key.ts'
import { type Choices, CompareTable } from './compare-table.tsx'
import { comparedTypes } from './compared-types.ts'
import { Evidence } from './evidence.tsx'
import styles from './page.module.css'

const pollMs = 10_000

/** What a person decided about a proposal. */
export type Decision = { proposal: Merge; kind: 'merged' | 'dismissed'; mergeId: string }

/**
 * A proposal: both records, the result of the merge from the server's dry run, and the evidence. Give it the proposal's id as
 * its key, because it keeps what the person chose.
 */
export function Pair({
  proposal,
  place,
  onStep,
  onDecided,
}: {
  proposal: Merge
  /** For example “3 of 12”. */
  place: string
  onStep: (by: number) => void
  onDecided: (decision: Decision) => void
}) {
  const scope = useScope()
  const { orgId, api, can } = scope
  const type = comparedTypes[proposal.entity_type]
  const fields = useFields(type)
  const [isSwapped, setSwapped] = useState(false)
  const [choices, setChoices] = useState<Choices>({})
  const { merge_id, survivor_id, loser_id } = proposal
  const [keepId, loserId] = isSwapped ? [loser_id, survivor_id] : [survivor_id, loser_id]
  const mayMerge = can('duplicates:write') && can(`${type.resource}:write`)
  const records = useQuery({
    queryKey: ['duplicate-pair', orgId, merge_id],
    queryFn: async ({ signal }) =>
      (await type.apiOf(api).batchRead({ ids: [survivor_id, loser_id] }, { signal })).flatMap(
        ({ record }) => record ?? [],
      ),
    refetchInterval: pollMs,
  })
  const settings = useQuery({ ...duplicateSettingsQuery(scope), staleTime: 60_000 })
  const result = { survivor_id: keepId, field_choices: choices }
  const versions = records.data?.map(({ version }) => version)
  const preview = useQuery({
    queryKey: ['duplicate-preview', orgId, merge_id, result, versions],
    queryFn: ({ signal }) =>
      api.duplicates.merges.create(
        { entity_type: proposal.entity_type, loser_ids: [loserId], ...result, dry_run: true },
        { signal },
      ),
    placeholderData: (previous) => (previous?.merges[0]?.survivor_id === keepId ? previous : undefined),
    enabled: mayMerge && versions?.length === 2,
  })
  const merge = useSubmit(async () => api.duplicates.proposals.apply(merge_id, result), {
    onDone: ({ merge_id: mergeId }) => onDecided({ proposal, kind: 'merged', mergeId }),
  })
  const dismiss = useSubmit(async () => api.duplicates.proposals.dismiss(merge_id), {
    onDone: () => onDecided({ proposal, kind: 'dismissed', mergeId: merge_id }),
  })
  const isBusy = merge.isBusy || dismiss.isBusy
  const canMerge = mayMerge && !isBusy && preview.isSuccess && !preview.isPlaceholderData
  const canDismiss = mayMerge && !isBusy
  const swap = () => {
    setSwapped(!isSwapped)
    setChoices({})
  }
  useKey('m', () => canMerge && merge.submit())
  useKey('d', () => canDismiss && dismiss.submit())
  useKey('s', () => mayMerge && swap())
  const { contact, company, deal } = settings.data ?? {}
  const limits = { contact, company, deal }[proposal.entity_type]
  const moved = preview.data?.merges.reduce((sum, { children_moved }) => sum + (children_moved ?? 0), 0) ?? 0
  return (
    <section className={styles.pair} aria-label={pairWords(proposal)}>
      <div className={styles.bar}>
        <span className={`three ${styles.place}`}>{place}</span>
        <Button
          kind="quiet"
          icon="up"
          aria-label="Previous"
          title="Previous (K)"
          onClick={() => onStep(-1)}
        />
        <Button kind="quiet" icon="down" aria-label="Next" title="Next (J)" onClick={() => onStep(1)} />
        <span className={`end rail ${styles.names}`}>
          <RecordLink
            type={type}
            id={keepId}
            name={isSwapped ? proposal.loser_name : proposal.survivor_name}
          />
          <span className="three">and</span>
          <RecordLink
            type={type}
            id={loserId}
            name={isSwapped ? proposal.survivor_name : proposal.loser_name}
          />
        </span>
      </div>
      {/* A person who may not merge has no button in it: the keyboard must scroll it nevertheless. */}
      <div className={styles.scroll} tabIndex={mayMerge ? undefined : 0}>
        <Loaded query={records}>
          {(found) => (
            <Comparison
              {...{ type, fields, found, keepId, choices }}
              result={preview.data?.record as ShownRecord | undefined}
              onChoose={mayMerge ? (name, id) => setChoices({ ...choices, [name]: id }) : null}
            />
          )}
        </Loaded>
        {preview.error && <Problem error={preview.error} />}
        <Evidence
          merge={proposal}
          many={type.many}
          limits={
            limits
              ? {
                  review: limits.review_threshold,
                  auto: limits.mode === 'auto' ? limits.auto_threshold : null,
                }
              : null
          }
        />
      </div>
      {mayMerge ? (
        <footer className={styles.foot}>
          {(merge.rest || dismiss.rest) && <Note kind="bad">{merge.rest ?? dismiss.rest}</Note>}
          <Button
            kind="main"
            icon="merge"
            shortcut="M"
            isBusy={merge.isBusy}
            disabled={!preview.isSuccess || preview.isPlaceholderData || dismiss.isBusy}
            onClick={() => merge.submit()}
          >
            Merge
          </Button>
          <Button
            shortcut="D"
            isBusy={dismiss.isBusy}
            disabled={merge.isBusy}
            onClick={() => dismiss.submit()}
          >
            Not the same
          </Button>
          <Button kind="quiet" icon="rotate" shortcut="S" onClick={swap}>
            Swap
          </Button>
          <span className="end three t12 opt">
            {moved > 0 && `${count(moved)} linked records move. `}A merge can be undone.
          </span>
        </footer>
      ) : (
        <footer className={styles.foot}>
          <span className="two">Your role may read proposals, but not decide about them.</span>
        </footer>
      )}
    </section>
  )
}

export const pairWords = ({ survivor_name, loser_name }: Pick<Merge, 'survivor_name' | 'loser_name'>) =>
  `${nameWords(survivor_name)} and ${nameWords(loser_name)}`

function Comparison({
  type,
  fields,
  found,
  keepId,
  ...rest
}: {
  type: RecordKind
  found: readonly ShownRecord[]
  keepId: string
} & Pick<Parameters<typeof CompareTable>[0], 'fields' | 'choices' | 'result' | 'onChoose'>) {
  const keep = found.find((record) => idOf(type, record) === keepId)
  const loser = found.find((record) => record !== keep)
  const companyIds = useMemo(
    () =>
      found.flatMap((record) => {
        const id = fieldValue(record, 'company_id')
        return typeof id === 'string' ? [id] : []
      }),
    [found],
  )
  const namesOfCompanies = useRecordNames(companies, companyIds)
  if (!keep || !loser)
    return (
      <div className="pad">
        <Note kind="warn">
          This proposal is out of date: one of the records is merged, archived or erased. It leaves the list.
        </Note>
      </div>
    )
  return <CompareTable {...{ type, fields, keep, loser, namesOfCompanies }} {...rest} />
}

const Problem = ({ error }: { error: unknown }) => (
  <div className="pad">
    <Note kind="bad">{problemOf(error).text}</Note>
  </div>
)

function RecordLink({ type, id, name }: { type: RecordKind; id: string; name: string | null }) {
  const { orgId } = useScope()
  return (
    <Link
      className="link cut"
      to={`/o/$orgId${type.path}/$recordId` as '/o/$orgId/people/$recordId'}
      params={{ orgId, recordId: id }}
    >
      {nameWords(name)}
    </Link>
  )
}
